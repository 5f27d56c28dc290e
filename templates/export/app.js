// The page of an exported memory: routes in the address's fragment, views made when they are opened.
// Memory text is data: it reaches the page through text nodes alone, never as markup.
"use strict";
(() => {
  const TYPES = ["project", "feedback", "user", "reference"];
  const MONTHS = "January February March April May June July August September October November December".split(" ");
  const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
  const ENTRIES_SHOWN = 60; // of a day, before "show more"
  const LINES_SHOWN = 1500; // of one entry
  const HITS_SHOWN = 40;
  const SLICE_MS = 12; // of work between two looks at the keyboard

  const data = (id) => JSON.parse(document.getElementById(id).textContent);
  const index = data("index");
  const days = new Map(Object.entries(index.days)); // day -> entries per type
  const topics = new Map(Object.entries(index.topics)); // folded topic -> place of its latest entry
  const main = document.getElementById("main");
  const input = document.getElementById("words");
  const chunks = new Map();
  const folded = new WeakMap();
  const shown = new Set(TYPES);
  let year = ""; // of the calendar, "" for the last twelve months

  // --- small things ---

  const fold = (text) => text.normalize("NFC").toLowerCase();
  const count = (n, one, many = one + "s") => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
  const sum = (list) => list.reduce((a, b) => a + b, 0);

  function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name === "on") for (const [event, run] of Object.entries(value)) node.addEventListener(event, run);
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
    return node;
  }

  const link = (place, text, attributes) => el("a", { href: `#/${encodeURI(place)}`, ...attributes }, text);
  const say = (text) => { document.getElementById("said").textContent = text; };

  // --- time: days, ISO weeks, months; a week belongs to the month of its Thursday ---

  const utc = (day) => new Date(`${day}T00:00:00Z`);
  const iso = (date) => date.toISOString().slice(0, 10);
  const plus = (day, n) => { const date = utc(day); date.setUTCDate(date.getUTCDate() + n); return iso(date); };
  const weekday = (day) => (utc(day).getUTCDay() + 6) % 7; // Monday is 0
  const thursday = (day) => plus(day, 3 - weekday(day));

  function weekOf(day) {
    const middle = thursday(day);
    const number = Math.floor((utc(middle) - utc(`${middle.slice(0, 4)}-01-01`)) / 86400000 / 7) + 1;
    return `${middle.slice(0, 4)}-W${String(number).padStart(2, "0")}`;
  }

  function mondayOf(week) {
    const fourth = `${week.slice(0, 4)}-01-04`;
    return plus(plus(fourth, -weekday(fourth)), 7 * (Number(week.slice(6)) - 1));
  }

  const monthOf = (day) => thursday(day).slice(0, 7);
  const named = (day) => `${DAYS[utc(day).getUTCDay()]}, ${Number(day.slice(8))} ${MONTHS[day.slice(5, 7) - 1]} ${day.slice(0, 4)}`;
  const short = (day) => `${DAYS[utc(day).getUTCDay()].slice(0, 3)} ${Number(day.slice(8))} ${MONTHS[day.slice(5, 7) - 1].slice(0, 3)}`;
  const dayMonth = (day) => `${Number(day.slice(8))} ${MONTHS[day.slice(5, 7) - 1].slice(0, 3)}`;
  const spanOf = (monday) => { const sunday = plus(monday, 6); return `${monday.slice(0, 7) === sunday.slice(0, 7) ? Number(monday.slice(8)) : dayMonth(monday)} – ${dayMonth(sunday)}`; };
  const monthName = (month) => `${MONTHS[month.slice(5, 7) - 1]} ${month.slice(0, 4)}`;

  // --- the tree: month -> weeks -> days, from the days alone ---

  const tree = new Map(); // month -> Map(week -> days), oldest first
  for (const day of days.keys()) {
    const month = monthOf(day), week = weekOf(day);
    if (!tree.has(month)) tree.set(month, new Map());
    const weeks = tree.get(month);
    if (!weeks.has(week)) weeks.set(week, []);
    weeks.get(week).push(day);
  }
  const monthList = [...tree.keys()];
  const weekList = [...tree.values()].flatMap((weeks) => [...weeks.keys()]);
  const dayList = [...days.keys()];
  const yearList = [...new Set(monthList.map((month) => month.slice(0, 4)))];
  const daysOfMonth = (month) => [...(tree.get(month) || new Map()).values()].flat();
  const daysOfWeek = (week) => (tree.get(mondayMonth(week)) || new Map()).get(week) || [];
  const mondayMonth = (week) => plus(mondayOf(week), 3).slice(0, 7);
  const entriesOn = (day) => sum((days.get(day) || []).filter((_, at) => shown.has(TYPES[at])));
  const total = (list) => sum(list.map(entriesOn));

  // --- what is parsed when it is opened ---

  function chunk(month) {
    if (!chunks.has(month)) {
      const holder = document.querySelector(`script[data-month="${month}"]`);
      chunks.set(month, holder ? JSON.parse(holder.textContent) : { days: {}, nodes: {} });
    }
    return chunks.get(month);
  }

  const dayOf = (day) => chunk(monthOf(day)).days[day] || { before: "", entries: [] };
  const nodeOf = (name, month) => chunk(month).nodes[name] || null;

  let noteTexts = null;
  const notes = () => (noteTexts = noteTexts || new Map(Object.entries(data("notes"))));

  // --- text into the page ---

  const INLINE = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\[REDACTED:[\w -]+\]|\b\d{4}-\d\d-\d\d(?::\d+(?:-\d+)?)?(?![\w-])|\b\d{4}-W\d\d\b|\b\d{4}-\d\d(?![\w-])|\b(?:knowledge|plans)\/[\w./-]+\.md/g;

  function isPlace(text) {
    const name = text.split(":")[0];
    if (/^\d{4}-\d\d-\d\d$/.test(name)) return days.has(name);
    if (/^\d{4}-W\d\d$/.test(name)) return daysOfWeek(name).length > 0;
    if (/^\d{4}-\d\d$/.test(name)) return tree.has(name);
    return index.notes.includes(name);
  }

  const hrefOf = (place) => (/^(knowledge|plans)\//.test(place) ? `notes/${place}` : place);

  function inline(parent, text) {
    let at = 0;
    for (const match of text.matchAll(INLINE)) {
      const [whole, code, strong] = match;
      let node = null;
      if (code !== undefined) node = el("code", null, code);
      else if (strong !== undefined) node = el("strong", null, strong);
      else if (whole.startsWith("[REDACTED")) node = el("span", { class: "out" }, whole);
      else if (isPlace(whole)) node = link(hrefOf(whole), whole, { class: "place" });
      if (!node) continue;
      parent.append(text.slice(at, match.index), node);
      at = match.index + whole.length;
    }
    parent.append(text.slice(at));
    return parent;
  }

  const BULLET = /^(\s*)(?:[-*+]|(\d{1,9}[.)]))\s+(.*)$/;
  const SPEAKER = /^(User|Assistant|Human|AI|System): /;
  const FENCE = /^\s*(`{3,}|~{3,})/;

  // Lists, code, headings and paragraphs of a text, with the number of each line for places. `lead` adds to a bullet.
  function textOf(text, first, lead) {
    const box = el("div", { class: "text" });
    const lines = text.split("\n");
    const end = Math.min(lines.length, LINES_SHOWN);
    blocks(box, lines.slice(0, end), first, lead);
    if (lines.length > end) {
      box.append(more(`Show ${count(lines.length - end, "more line")}`, (button) => {
        const rest = el("div", { class: "text" });
        blocks(rest, lines.slice(end), first + end, lead);
        button.replaceWith(...rest.childNodes);
      }));
    }
    return box;
  }

  function blocks(box, lines, first, lead) {
    let open = []; // lists, outermost first: { indent, list, item }
    const deepest = () => open[open.length - 1];
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at], number = first + at;
      const bullet = line.match(BULLET), fence = line.match(FENCE);
      if (!line.trim()) {
        const next = lines.slice(at + 1).find((other) => other.trim());
        if (open.length && next !== undefined && !BULLET.test(next) && !/^\s/.test(next)) open = [];
      } else if (fence) {
        const code = [];
        while (++at < lines.length && !lines[at].trim().startsWith(fence[1])) code.push(lines[at]);
        (open.length && /^\s/.test(line) ? deepest().item : box).append(el("pre", { "data-line": number }, el("code", null, code.join("\n"))));
      } else if (bullet) {
        const indent = bullet[1].replace(/\t/g, "    ").length;
        while (open.length && deepest().indent > indent) open.pop();
        if (!open.length || deepest().indent < indent) {
          const list = el("ul");
          (open.length ? deepest().item : box).append(list);
          open.push({ indent, list, item: null });
        }
        const item = el("li", { "data-line": number });
        const keyed = bullet[3].match(/^([A-Za-z][\w &-]{1,30}:)(?:\s+(.*))?$/);
        if (keyed && open.length === 1 && !lead) inline(item, keyed[2] || "").prepend(el("span", { class: "key" }, keyed[1]));
        else {
          const box = bullet[3].match(/^\[([ xX])\]\s+/);
          if (box) item.append(el("span", { class: "box", role: "img", "aria-label": box[1] === " " ? "open" : "done" }, box[1] === " " ? "☐ " : "☑ "));
          inline(item, bullet[3].slice(box ? box[0].length : 0));
        }
        if (bullet[2]) item.prepend(el("span", { class: "number" }, `${bullet[2]} `));
        if (lead) lead(item, bullet[3]);
        deepest().list.append(item);
        deepest().item = item;
      } else if (open.length && /^\s/.test(line)) {
        inline(deepest().item, "\n" + line.trim());
      } else if (/^#{1,6}(\s|$)/.test(line)) {
        open = [];
        const level = line.match(/^#+/)[0].length;
        const title = line.slice(level).trim();
        const typed = title.match(/^(.*\S)\s*\[(project|feedback|user|reference)\]$/);
        const node = inline(el(`h${Math.min(4, Math.max(2, level))}`, { "data-line": number }), typed ? typed[1] : title);
        if (typed) node.append(" ", chip(typed[2]));
        if (lead) lead(null, title, node);
        box.append(node);
      } else if (/^<!--.*-->\s*$/.test(line)) {
        open = [];
        const aside = inline(el("p", { class: "aside", "data-line": number }), line.replace(/^<!--\s*|\s*-->\s*$/g, ""));
        if (lead) lead(null, "", aside);
        box.append(aside);
      } else {
        open = [];
        const last = box.lastElementChild;
        const said = line.match(SPEAKER);
        if (!said && last && last.tagName === "P" && !last.className && lines[at - 1] && lines[at - 1].trim()) inline(last, "\n" + line);
        else box.append(inline(el("p", { "data-line": number }, said ? el("strong", { class: "who" }, said[0]) : null), said ? line.slice(said[0].length) : line));
      }
    }
  }

  function more(text, run) {
    const button = el("button", { type: "button", class: "quiet more", on: { click: () => run(button) } }, text);
    return button;
  }

  const chip = (type) => el("span", { class: `chip ${type}` }, type);

  function entryCard(day, entry, lit) {
    const [topic, type, comment, body, start, end] = entry;
    const place = `${day}:${start}-${end}`;
    const isLit = lit && start >= lit[0] && start <= lit[1];
    const head = el("div", { class: "head" },
      el("h2", null, link(place, topic || "Untitled")), chip(TYPES[type]), el("span", { class: "meta" }, comment ? `${comment} · ${place}` : place));
    const card = el("article", { class: `card entry${isLit ? " lit" : ""}`, id: `line-${start}`, "aria-label": topic || "Untitled" }, head);
    const text = textOf(body, end - body.split("\n").length + 1);
    if (lit && !isLit) for (const node of text.querySelectorAll("[data-line]")) if (Number(node.dataset.line) >= lit[0] && Number(node.dataset.line) <= lit[1]) node.classList.add("lit");
    card.append(text);
    return card;
  }

  // --- where a line of a summary comes from ---

  const wordsOf = (text) => [...new Set(fold(text).match(/[\p{L}\p{N}_./-]{3,}/gu) || [])].slice(0, 40);

  // The place of the entry that a line was taken from: one that holds it word for word, else one that shares most words.
  function nearest(text, among, topic) {
    const words = wordsOf(text);
    const bare = fold(text.replace(/^[A-Za-z][\w -]{1,30}:\s+/, "").replace(/\s*→.*$/, "").trim());
    let best = null, most = 0;
    for (const day of among) {
      for (const entry of dayOf(day).entries) {
        const hay = foldedOf(entry);
        const whole = bare.length >= 8 && hay.includes(bare);
        const score = words.filter((word) => hay.includes(word)).length / Math.max(1, words.length) + (whole ? 2 : 0) + (topic && fold(entry[0]) === topic ? 1 : 0);
        if (score > most) { most = score; best = `${day}:${entry[4]}-${entry[5]}`; }
      }
    }
    return most > 0.34 ? best : null;
  }

  function foldedOf(entry) {
    if (!folded.has(entry)) folded.set(entry, fold(`${entry[0]}\n${entry[2]}\n${entry[3]}`));
    return folded.get(entry);
  }

  // Adds a link to the source of a summary's line, unless the line names a place itself. The heading above says the
  // topic, and the line below it or a heading with a date says the day.
  function sourced(among) {
    let topic = "", near = null;
    return (item, text, above) => {
      if (above) {
        const place = above.querySelector("a.place");
        if (above.matches("p")) near = place ? place.textContent : near;
        else {
          near = place ? place.textContent : null;
          topic = fold((above.firstChild ? above.firstChild.textContent : "").trim());
        }
        return;
      }
      if (item.querySelector(":scope > a") || text.trimEnd().endsWith(":")) return;
      const day = near && near.slice(0, 10);
      const place = (among.length && nearest(text, days.has(day) ? [day] : among, topic)) || near || bySubject(text);
      if (place) item.append(" ", link(place, "→", { class: "from", title: place, "aria-label": `Source: ${place}` }));
    };
  }

  // A line of ROOT.md begins with its topic, or with the time that it tells of.
  function bySubject(text) {
    const lead = text.match(/^(.{1,120}?)(?: \[(?:project|feedback|user|reference)[^\]]*\]|: )/);
    if (lead && topics.has(fold(lead[1].trim()))) return topics.get(fold(lead[1].trim()));
    const time = text.match(/^(\d{4})(-\d\d)?/);
    if (time && time[2] && tree.has(time[0])) return time[0];
    if (time && yearList.includes(time[1])) return time[1];
    return text.startsWith("+") ? null : `search/${wordsOf(text).slice(0, 3).join(" ")}`;
  }

  // --- views ---

  function page(title, way, ...content) {
    document.title = title === index.title ? title : `${title} · ${index.title}`;
    main.replaceChildren(...(way.length ? [el("ol", { class: "way", "aria-label": "Above" }, way.map(([place, text]) => el("li", null, link(place, text))))] : []), ...content);
  }

  function heading(title, sub, steps) {
    return [el("div", { class: "top" }, el("h1", null, title), steps || null), sub ? el("p", { class: "sub" }, sub) : null].filter(Boolean);
  }

  function steps(list, current, what) {
    const at = list.indexOf(current);
    const one = (to, text) => (to ? link(to, text, { title: to }) : el("span", { "aria-hidden": "true" }, text));
    return el("div", { class: "step", "aria-label": `Other ${what}s`, role: "group" }, one(list[at - 1], `← Earlier ${what}`), one(list[at + 1], `Later ${what} →`));
  }

  function kinds() {
    const boxes = TYPES.map((type) => {
      const box = el("input", { type: "checkbox", value: type, checked: shown.has(type), on: { change: () => {
        if (box.checked) shown.add(type); else shown.delete(type);
        render(false);
        say(`${count(shown.size, "type")} shown`);
        const again = document.querySelector(`.kinds input[value="${type}"]`);
        if (again) again.focus();
      } } });
      return el("label", { class: type }, box, type);
    });
    return el("fieldset", { class: "kinds" }, el("legend", { class: "unseen" }, "Types that are shown"), boxes);
  }

  const section = (title, ...content) => el("section", { class: "section" }, el("h2", null, title), ...content);

  function overview() {
    const all = total(dayList);
    const span = dayList.length ? `${count(all, "entry", "entries")} on ${count(dayList.length, "day")}, ${dayList[0]} to ${dayList[dayList.length - 1]}` : "No entries yet";
    const going = index.tasks.filter((task) => task.state === "in progress");
    page(index.title, [], ...heading(index.title, span), kinds(), calendarView(),
      going.length ? section("In progress", el("ul", { class: "list" }, going.map((task) => taskRow(task, true)))) : null || "",
      index.root ? el("section", { class: "section", "aria-label": "ROOT.md" }, el("div", { class: "card" }, textOf(index.root, 1, sourced([])))) : "",
      el("footer", null, `Exported ${index.made} by hipocampus. Everything is in this file; nothing is loaded from the network.`));
  }

  function yearView(name) {
    const months = monthList.filter((month) => month.startsWith(name));
    page(name, [["", "ROOT"]], ...heading(name, count(total(months.flatMap(daysOfMonth)), "entry", "entries"), steps(yearList, name, "year")), kinds(),
      el("ul", { class: "list" }, months.map((month) => el("li", null, el("span", { class: "when" }, link(month, monthName(month))), el("span", { class: "what" }, `${count(total(daysOfMonth(month)), "entry", "entries")} on ${count(daysOfMonth(month).length, "day")}`)))));
  }

  const SUMMARY = { verbatim: "in full", extractive: "summary by rule", llm: "summary by a language model", manual: "written by hand" };

  function nodeCard(name, month, among) {
    const node = nodeOf(name, month);
    if (!node || !node[2]) return [];
    return [section("Summary", el("div", { class: "card" },
      el("p", { class: "meta" }, [SUMMARY[node[1]] || "written by hand", node[0]].filter(Boolean).join(" · ")), textOf(node[2], 1, sourced(among))))];
  }

  function monthView(month) {
    const weeks = tree.get(month), own = daysOfMonth(month);
    page(monthName(month), [["", "ROOT"], [month.slice(0, 4), month.slice(0, 4)]],
      ...heading(monthName(month), `${count(total(own), "entry", "entries")} on ${count(own.length, "day")}`, steps(monthList, month, "month")), kinds(),
      section("Weeks", el("ul", { class: "list" }, [...weeks].map(([week, list]) => el("li", null,
        el("span", { class: "when" }, link(week, `Week ${Number(week.slice(6))}`), el("div", { class: "meta" }, spanOf(mondayOf(week)))),
        el("span", { class: "what" }, topicLinks(list, 8)))))),
      ...nodeCard(month, month, own));
  }

  function weekView(week) {
    const month = mondayMonth(week), own = daysOfWeek(week), monday = mondayOf(week);
    page(week, [["", "ROOT"], [month.slice(0, 4), month.slice(0, 4)], [month, monthName(month)]],
      ...heading(`Week ${Number(week.slice(6))}, ${week.slice(0, 4)}`, `${spanOf(monday)} · ${count(total(own), "entry", "entries")}`, steps(weekList, week, "week")), kinds(),
      section("Days", el("ul", { class: "list" }, own.map((day) => el("li", null, el("span", { class: "when" }, link(day, short(day))), el("span", { class: "what" }, topicLinks([day], 14)))))),
      ...nodeCard(week, month, own));
  }

  function topicLinks(list, most) {
    const out = [], seen = new Set();
    let left = 0;
    for (const day of list) {
      for (const entry of dayOf(day).entries) {
        if (!shown.has(TYPES[entry[1]]) || seen.has(fold(entry[0]))) continue;
        seen.add(fold(entry[0]));
        if (seen.size > most) { left++; continue; }
        if (out.length) out.push(" · ");
        out.push(link(`${day}:${entry[4]}-${entry[5]}`, entry[0] || "Untitled"));
      }
    }
    if (left) out.push(` and ${left} more`);
    return out.length ? out : ["no entries of these types"];
  }

  function dayView(day, lit) {
    const { before, entries } = dayOf(day), month = monthOf(day), week = weekOf(day);
    const visible = entries.filter((entry) => shown.has(TYPES[entry[1]]));
    const hidden = entries.length - visible.length;
    const box = el("div");
    const add = (from) => {
      const needed = lit ? visible.findIndex((entry) => entry[5] >= lit[0]) + 1 : 0;
      const to = Math.max(from + ENTRIES_SHOWN, from === 0 ? needed : 0);
      box.append(...visible.slice(from, to).map((entry) => entryCard(day, entry, lit)));
      if (visible.length > to) box.append(more(`Show ${count(visible.length - to, "more entry", "more entries")}`, (button) => { button.remove(); add(to); }));
    };
    add(0);
    page(named(day), [["", "ROOT"], [month.slice(0, 4), month.slice(0, 4)], [month, monthName(month)], [week, `Week ${Number(week.slice(6))}`]],
      ...heading(named(day), `${count(visible.length, "entry", "entries")}${hidden ? `, ${hidden} of other types` : ""} · memory/${day}.md`, steps(dayList, day, "day")), kinds(),
      ...nodeCard(day, month, [day]),
      before ? el("div", { class: "card" }, textOf(before, 1)) : "", box);
    const first = lit && main.querySelector(".lit");
    if (first) first.scrollIntoView({ block: "center" });
  }

  function taskRow(task, alone) {
    const steps = task.open || task.done ? `${task.done} of ${task.open + task.done} steps done` : "";
    return el("li", null, alone === true ? null : el("span", { class: "when state" }, task.state), el("span", { class: "what" }, el("strong", null, task.title),
      el("div", { class: "meta" }, [task.started && `since ${task.started}`, steps, `${task.file}:${task.line}`].filter(Boolean).join(" · "))));
  }

  function tasksView() {
    page("Tasks", [["", "ROOT"]], ...heading("Tasks", index.tasks.length ? count(index.tasks.length, "task") : "No tasks"),
      el("ul", { class: "list" }, index.tasks.map((task) => taskRow(task))),
      ...Object.entries(index.hot).map(([name, text]) => section(name, el("div", { class: "card" }, textOf(text, 1)))));
  }

  function notesView(path) {
    if (path && notes().has(path)) {
      page(path, [["", "ROOT"], ["notes", "Notes"]], ...heading(path, ""), el("div", { class: "card" }, textOf(notes().get(path), 1)));
    } else {
      page("Notes", [["", "ROOT"]], ...heading("Notes", index.notes.length ? count(index.notes.length, "file") : "No notes"),
        el("ul", { class: "list" }, index.notes.map((name) => el("li", null, link(`notes/${name}`, name)))));
    }
  }

  // --- the calendar ---

  function calendarView() {
    const box = el("section", { class: "section", "aria-label": "Calendar" });
    const end = year ? `${year}-12-31` : index.today;
    const begin = year ? `${year}-01-01` : plus(plus(index.today, -weekday(index.today)), -52 * 7);
    const first = plus(begin, -weekday(begin));
    const choose = (name) => el("button", { type: "button", "aria-pressed": String(year === name), on: { click: () => { year = name; const next = calendarView(); box.replaceWith(next); next.querySelector('[aria-pressed="true"]').focus(); } } }, name || "Last 12 months");
    const grid = el("div", { class: "grid", role: "group", "aria-label": `Days with entries, ${begin} to ${end}; arrow keys move between them` });
    ["Mon", "", "Wed", "", "Fri", "", ""].forEach((name, at) => { if (name) { const label = el("span", { class: "weekday", "aria-hidden": "true" }, name); label.style.gridRow = at + 2; grid.append(label); } });
    const list = [];
    for (let day = first; day <= end; day = plus(day, 1)) list.push(day);
    const top = Math.max(4, ...list.map(entriesOn));
    let quiet = 0;
    list.forEach((day, at) => {
      const column = Math.floor(at / 7) + 2;
      if (day.slice(8) <= "07" && weekday(day) === 0 && column >= quiet) {
        const label = el("span", { class: "month", "aria-hidden": "true" }, MONTHS[day.slice(5, 7) - 1].slice(0, 3));
        label.style.gridColumn = column;
        grid.append(label);
        quiet = column + 3;
      }
      if (day < begin) return;
      const entries = entriesOn(day);
      const shade = entries ? Math.min(4, Math.ceil((entries * 4) / top)) : 0;
      const cell = days.has(day)
        ? link(day, "", { class: `cell s${shade}`, "data-day": day, tabindex: "-1", title: `${named(day)}: ${count(entries, "entry", "entries")}`, "aria-label": `${named(day)}: ${count(entries, "entry", "entries")}` })
        : el("span", { class: "cell", title: named(day) });
      cell.style.gridColumn = column;
      cell.style.gridRow = weekday(day) + 2;
      grid.append(cell);
    });
    const cells = [...grid.querySelectorAll("a")];
    if (cells.length) cells[cells.length - 1].tabIndex = 0;
    grid.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7 }[event.key];
      const from = event.target.dataset.day;
      if (!by || !from) return;
      event.preventDefault();
      const wanted = plus(from, by);
      const near = by > 0 ? cells.find((cell) => cell.dataset.day >= wanted) : cells.findLast((cell) => cell.dataset.day <= wanted);
      if (!near) return;
      event.target.tabIndex = -1;
      near.tabIndex = 0;
      near.focus();
    });
    const shades = [0, 1, 2, 3, 4].map((shade) => el("span", { class: `cell s${shade}` }));
    const scroller = el("div", { class: "calendar" }, grid);
    box.append(el("div", { class: "years", role: "group", "aria-label": "Year" }, choose(""), yearList.toReversed().map(choose)),
      scroller, el("div", { class: "key-row", "aria-hidden": "true" }, "fewer", shades, "more"));
    requestAnimationFrame(() => { if (!year) scroller.scrollLeft = scroller.scrollWidth; });
    return box;
  }

  // --- search while typing ---

  let searching = 0;
  const pause = () => new Promise((go) => setTimeout(go));

  async function searchView(query) {
    const mine = ++searching;
    const words = fold(query).split(/\s+/).filter(Boolean);
    const list = el("ul", { class: "list hits" }), status = el("p", { class: "sub" }, "…"), rest = el("div");
    page(`Search: ${query}`, [], ...heading("Search", ""), status, kinds(), list, rest);
    if (!words.length) { status.textContent = "Type some words"; return; }
    const hits = [];
    let drawn = 0, most = HITS_SHOWN, since = performance.now();
    const draw = () => {
      while (drawn < Math.min(hits.length, most)) list.append(hitRow(hits[drawn++], words));
      rest.replaceChildren(...(hits.length > most ? [more(`Show more of ${hits.length.toLocaleString("en")}`, () => { most += HITS_SHOWN; draw(); })] : []));
    };
    for (const [path, text] of [...notes(), ...Object.entries(index.hot)]) if (all(words, fold(`${path}\n${text}`))) hits.push({ path, text });
    for (const month of monthList.toReversed()) {
      const part = chunk(month);
      for (const day of daysOfMonth(month).toReversed()) {
        if (!part.days[day]) continue;
        for (const entry of part.days[day].entries.toReversed()) if (shown.has(TYPES[entry[1]]) && all(words, foldedOf(entry))) hits.push({ day, entry });
        if (part.days[day].before && all(words, fold(part.days[day].before))) hits.push({ day, text: part.days[day].before });
      }
      if (performance.now() - since > SLICE_MS) {
        draw();
        status.textContent = `${count(hits.length, "result")} so far…`;
        await pause();
        if (mine !== searching) return;
        since = performance.now();
      }
    }
    draw();
    status.textContent = hits.length ? `${count(hits.length, "result")}, newest first` : "Nothing has all of these words";
    main.dataset.searched = query;
    say(status.textContent);
  }

  const all = (words, text) => words.every((word) => text.includes(word));

  function hitRow(hit, words) {
    const text = hit.entry ? hit.entry[3] : hit.text;
    let line = "", most = -1; // the line that has most of the words
    for (const one of text.split("\n")) {
      const low = fold(one), has = words.filter((word) => low.includes(word)).length;
      if (has > most && one.trim()) { line = one; most = has; }
    }
    const place = hit.path ? (index.notes.includes(hit.path) ? `notes/${hit.path}` : "tasks") : hit.entry ? `${hit.day}:${hit.entry[4]}-${hit.entry[5]}` : hit.day;
    const title = el("a", { class: "title", href: `#/${encodeURI(place)}` });
    marked(title, hit.path || (hit.entry ? hit.entry[0] || "Untitled" : named(hit.day)), words);
    return el("li", { class: "hit" }, el("span", { class: "when meta" }, hit.day ? short(hit.day) + " " + hit.day.slice(0, 4) : "note"),
      el("div", { class: "what" }, el("div", { class: "task" }, title, hit.entry ? chip(TYPES[hit.entry[1]]) : null), marked(el("p"), cut(line.trim().replace(/^(?:[-*+]|\d+[.)])\s+/, "").replaceAll("**", ""), words), words)));
  }

  function cut(line, words) {
    if (line.length <= 240) return line;
    const at = Math.max(0, Math.min(...words.map((word) => fold(line).indexOf(word)).filter((n) => n >= 0)) - 80);
    return `${at ? "…" : ""}${line.slice(at, at + 240)}…`;
  }

  function marked(parent, text, words) {
    const low = fold(text);
    if (low.length !== text.length) { parent.append(text); return parent; }
    let at = 0;
    while (at < text.length) {
      const next = words.map((word) => [low.indexOf(word, at), word.length]).filter(([n]) => n >= 0).sort((a, b) => a[0] - b[0] || b[1] - a[1])[0];
      if (!next) break;
      parent.append(text.slice(at, next[0]), el("mark", null, text.slice(next[0], next[0] + next[1])));
      at = next[0] + next[1];
    }
    parent.append(text.slice(at));
    return parent;
  }

  // --- the tree at the side ---

  function branch(place, text, entries, children) {
    const row = el("div", { class: "row" });
    const item = el("li", { "data-place": place }, row);
    let list = null;
    if (children) {
      const fold = el("button", { type: "button", class: "fold", "aria-expanded": "false", "aria-label": `Open ${text}`, on: { click: () => item.toggle(fold.getAttribute("aria-expanded") !== "true") } });
      row.append(fold);
      item.toggle = (open) => {
        fold.setAttribute("aria-expanded", String(open));
        fold.setAttribute("aria-label", `${open ? "Close" : "Open"} ${text}`);
        if (open && !list) item.append((list = el("ul", null, children())));
        else if (!open && list) { list.remove(); list = null; }
      };
    } else row.append(el("span", { class: "leaf" }));
    row.append(link(place, text), entries === null ? "" : el("span", { class: "count" }, entries.toLocaleString("en")));
    return item;
  }

  const countAll = (list) => sum(list.flatMap((day) => days.get(day)));
  const dayBranch = (day) => branch(day, short(day), countAll([day]));
  const weekBranch = ([week, list]) => branch(week, `Week ${Number(week.slice(6))}`, countAll(list), () => list.toReversed().map(dayBranch));
  const monthBranch = (month) => branch(month, MONTHS[month.slice(5, 7) - 1], countAll(daysOfMonth(month)), () => [...tree.get(month)].toReversed().map(weekBranch));
  const yearBranch = (name) => {
    const months = monthList.filter((month) => month.startsWith(name)).toReversed();
    return branch(name, name, countAll(months.flatMap(daysOfMonth)), () => months.map(monthBranch));
  };

  const side = document.getElementById("tree");
  side.append(el("h2", null, "Memory"), el("ul", null, branch("", "ROOT", null), branch("tasks", "Tasks", index.tasks.length), index.notes.length ? branch("notes", "Notes", index.notes.length) : ""),
    el("h2", null, "Time"), el("ul", null, yearList.toReversed().map(yearBranch)));
  side.addEventListener("keydown", (event) => {
    if (!["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"].includes(event.key)) return;
    const rows = [...side.querySelectorAll(".row > a")];
    const item = event.target.closest("li");
    const at = rows.indexOf(item && item.querySelector(":scope > .row > a"));
    if (at < 0) return;
    event.preventDefault();
    const button = item.querySelector(":scope > .row > .fold");
    const open = button && button.getAttribute("aria-expanded") === "true";
    if (event.key === "ArrowRight" && button && !open) item.toggle(true);
    else if (event.key === "ArrowLeft" && open) item.toggle(false);
    else if (event.key === "ArrowLeft") { const above = item.parentElement.closest("li"); if (above) above.querySelector(".row > a").focus(); }
    else { const to = rows[at + (event.key === "ArrowUp" ? -1 : 1)]; if (to) to.focus(); }
  });

  function showInTree(place) {
    const name = place.split(":")[0];
    const path = /^\d{4}-\d\d-\d\d$/.test(name) ? [monthOf(name).slice(0, 4), monthOf(name), weekOf(name), name]
      : /^\d{4}-W\d\d$/.test(name) ? [mondayMonth(name).slice(0, 4), mondayMonth(name), name]
      : /^\d{4}-\d\d$/.test(name) ? [name.slice(0, 4), name] : [name.split("/")[0]];
    for (const link of side.querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
    path.forEach((step, depth) => {
      const item = side.querySelector(`li[data-place="${CSS.escape(step)}"]`);
      if (!item) return;
      if (depth < path.length - 1) { if (item.querySelector(":scope > .row > [aria-expanded=false]")) item.toggle(true); }
      else { const own = item.querySelector(":scope > .row > a"); own.setAttribute("aria-current", "page"); if (side.scrollHeight > side.clientHeight) item.scrollIntoView({ block: "nearest" }); }
    });
  }

  // --- routes ---

  function route() {
    try { return decodeURIComponent(location.hash.replace(/^#\/?/, "")); } catch { return location.hash.replace(/^#\/?/, ""); }
  }

  function render(moved) {
    const place = route();
    const [name, range] = place.split(":");
    const lit = range && /^\d+(-\d+)?$/.test(range) ? [Number(range.split("-")[0]), Number(range.split("-")[1] || range.split("-")[0])] : null;
    searching++;
    delete main.dataset.searched;
    if (place.startsWith("search/")) {
      if (document.activeElement !== input) input.value = place.slice(7);
      for (const current of side.querySelectorAll("[aria-current]")) current.removeAttribute("aria-current");
      searchView(place.slice(7));
      if (moved) close();
      return;
    }
    if (days.has(name)) dayView(name, lit);
    else if (/^\d{4}-W\d\d$/.test(name) && daysOfWeek(name).length) weekView(name);
    else if (tree.has(name)) monthView(name);
    else if (yearList.includes(name)) yearView(name);
    else if (name === "tasks") tasksView();
    else if (name === "notes" || name.startsWith("notes/")) notesView(name.slice(6));
    else overview();
    main.dataset.place = place;
    showInTree(place);
    if (moved) {
      if (!lit) scrollTo(0, 0);
      main.focus({ preventScroll: true });
      say(document.title);
      close();
    }
  }

  addEventListener("hashchange", () => render(true));

  input.addEventListener("input", () => {
    const query = input.value.trim();
    const was = route().startsWith("search/");
    const to = query ? `#/search/${encodeURIComponent(query)}` : "#/";
    if (was) history.replaceState(null, "", to); else history.pushState(null, "", to);
    render(false);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { const first = main.querySelector(".hit a"); if (first) { event.preventDefault(); first.focus(); } }
    if (event.key === "Escape") { input.value = ""; input.dispatchEvent(new Event("input")); main.focus(); }
  });
  document.getElementById("search").addEventListener("submit", (event) => { event.preventDefault(); const first = main.querySelector(".hit a"); if (first) first.focus(); });
  main.addEventListener("keydown", (event) => {
    if (!event.target.matches(".hit a") || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
    event.preventDefault();
    const hits = [...main.querySelectorAll(".hit a.title")];
    const to = hits[hits.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1)];
    (to || (event.key === "ArrowUp" ? input : event.target)).focus();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.target.matches("input")) { event.preventDefault(); input.focus(); input.select(); }
  });
  document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });

  const browse = document.getElementById("browse");
  const close = () => { side.classList.remove("open"); browse.setAttribute("aria-expanded", "false"); };
  browse.addEventListener("click", () => browse.setAttribute("aria-expanded", String(side.classList.toggle("open"))));

  const theme = document.getElementById("theme");
  const kept = { get: () => { try { return localStorage.getItem("hipo-theme"); } catch { return null; } }, set: (name) => { try { localStorage.setItem("hipo-theme", name); } catch { /* a page from disk may have no storage; the theme then lasts as long as the page */ } } };
  const paint = (name) => {
    if (name === "auto") delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = name;
    theme.textContent = { auto: "Theme: auto", light: "Theme: light", dark: "Theme: dark" }[name];
    theme.dataset.now = name;
  };
  theme.addEventListener("click", () => { const next = { auto: "light", light: "dark", dark: "auto" }[theme.dataset.now]; paint(next); kept.set(next); });
  paint(["light", "dark"].includes(kept.get()) ? kept.get() : "auto");

  render(false);
  document.documentElement.dataset.ready = "";
})();
