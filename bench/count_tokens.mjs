// Count o200k tokens: reads a JSON list of texts on stdin, prints a JSON list of counts.
// Usage: node count_tokens.mjs DIR, where DIR is a folder in which `npm install gpt-tokenizer` was run.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const require = createRequire(join(process.argv[2], "package.json"));
const { encode } = require("gpt-tokenizer/encoding/o200k_base");
const texts = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => encode(text, { disallowedSpecial: new Set() }).length)));
