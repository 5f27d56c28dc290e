"""Public token formats: what a vendor's tokens begin with, and how long they are at least.

Sources are the vendors' own pages on token prefixes and on secret scanning (GitHub "Token formats",
GitLab "Token overview", Slack "Token types", Stripe "API keys", HashiCorp, Shopify, Atlassian, Google
Cloud, AWS "IAM identifiers", and so on), as of 2025. Lengths are lower bounds, a little below what is
issued today: vendors lengthen their tokens without notice.
"""

from functools import cache

WORD = "A-Za-z0-9_-"
DOTTED = "A-Za-z0-9_.-"
BASE64 = "A-Za-z0-9+/=_-"
DOTTED_BASE64 = "A-Za-z0-9+/=_.%-"


class Format:
    """One family of tokens: `least` counts the characters of `alphabet` that follow the prefix."""

    __slots__ = ("alphabet", "kind", "least")

    def __init__(self, kind: str, alphabet: str, least: int) -> None:
        self.kind = kind
        self.alphabet = alphabet
        self.least = least


# kind, alphabet, least length of what follows, prefixes
_FORMATS: tuple[tuple[str, str, int, str], ...] = (
    ("github-token", WORD, 20, "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_"),
    (
        "gitlab-token",
        DOTTED,
        16,
        "glpat- gloas- gldt- glrt- glcbt- glptt- glft- glffct- glimt- glagent- glsoat- glwt- GR1348941",
    ),
    ("anthropic-key", WORD, 24, "sk-ant-"),
    ("openai-key", WORD, 20, "sk-proj- sk-svcacct- sk-admin- sk-None- sess-"),
    ("openrouter-key", WORD, 24, "sk-or-"),
    (
        "llm-key",
        WORD,
        16,
        "gsk_ xai- pplx- csk- nvapi- r8_ api_org_ fw_ tvly- jina_ pcsk_ lsv2_pt_ lsv2_sk_ sk-lf- pk-lf- fc- e2b_"
        " pa- rpa_ esecret_ flp_ tgp_v1_ ctx7sk- wandb_v1_ llx- m0- crsr_ BSA phx_ phs_",
    ),
    ("llm-key", "A-Za-z0-9", 30, "hf_"),
    ("aws-key", "A-Z0-9", 16, "AKIA ASIA ABIA ACCA"),
    ("aws-key", BASE64, 80, "ABSK bedrock-api-key- FwoGZXIvYXdz IQoJb3JpZ2lu"),
    ("aws-key", DOTTED, 32, "amzn.mws."),
    ("google-key", "A-Z0-9", 50, "GOOG1E"),
    ("google-key", WORD, 30, "AIza"),
    ("google-key", WORD, 20, "GOCSPX-"),
    ("google-token", DOTTED, 30, "ya29. AQ.Ab"),
    (
        "slack-token",
        DOTTED,
        14,
        "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xoxe.xoxb- xoxe.xoxp- xapp- xwfp-",
    ),
    ("stripe-key", WORD, 16, "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_ sk_sbox_ sk_org_ whsec_"),
    (
        "payment-key",
        DOTTED,
        16,
        "FLWSECK- FLWSECK_TEST- sq0atp- sq0csp- EZAK EZTK shippo_live_ shippo_test_ APP_USR-"
        " pdl_live_apikey_ pdl_sdbx_apikey_ pdl_ntfset_ live_sk_ test_sk_ live_gsk_ duffel_live_ duffel_test_"
        " access-sandbox- access-production- access-development- ck_live_ ck_test_ lob_live_ live_ test_",
    ),
    ("payment-key", WORD, 14, "rzp_live_ rzp_test_ sm_pat_ sm_aat_ sm_sat_"),
    ("payment-key", "a-z0-9$", 40, "access_token$production$ access_token$sandbox$"),
    ("square-token", WORD, 40, "EAAA"),
    ("facebook-token", "A-Za-z0-9", 40, "EAA"),
    ("instagram-token", WORD, 60, "IGQV IGAA"),
    ("shopify-token", "A-Za-z0-9_", 24, "shpat_ shpss_ shpca_ shppa_ shptka_ shpua_ shprt_ atkn_ prtapi_"),
    ("npm-token", "A-Za-z0-9", 36, "npm_"),
    ("pypi-token", WORD, 30, "pypi-"),
    ("package-token", WORD, 24, "rubygems_ dckr_pat_ dckr_oat_ cio CLOJARS_ oy2 AKCp cmVmdGtu oct_"),
    ("vault-token", DOTTED, 20, "hvs. hvb. hvr. b.AAAA s.CAES"),
    (
        "cloud-token",
        WORD,
        24,
        "dop_v1_ doo_v1_ dor_v1_ HRKU- pscale_pw_ pscale_tkn_ pscale_oauth_ sbp_ sb_secret_ pul- dapi dkea dose"
        " napi_ nfp_ vcp_ vca_ vci_ vcr_ vck_ rnd_ tskey- dnkey- tk-us- tk-pl- apify_api_ AKID t1.9eu"
        " YCAJ YCM y0_ AQVN ajeo sgp_ pnu_ pnb_ lin_oauth_ cfut_ cfat_ SWMTKN-1- SWMKEY-1-",
    ),
    ("cloud-token", BASE64, 40, "fm2_ fm1a_ fm1r_ fo1_ ops_eyJ v1.0- sntrys_ sntryu_ sntrya_"),
    ("cloud-token", "A-Za-z0-9", 16, "LTAI"),
    ("linear-key", WORD, 24, "lin_api_"),
    ("notion-token", WORD, 30, "ntn_ secret_"),
    (
        "saas-token",
        DOTTED,
        20,
        "figd_ figo_ PMAK- PMAT- dp.st. dp.pt. dp.ct. dp.sa. dp.scim. dp.audit. dt0c01. dt0s01. dt0s02. dt0s16."
        " CFPAT- rdme_ ATTA ATATT ATBB ATCTT ATSTT NRAK- NRJS- NRII- NRIQ- NRRA- NRBR-"
        " glc_ glsa_ tfp_ xkeysib- xsmtpsib- re_ SG. pat-na1- pat-eu1- bkua_ bkct_ CCIPAT_ CCIPRJ_ sqp_ squ_"
        " sqa_ fio-u- ico- s-s4t2ud- s-s4t2af- lip_ phc_ sdk- mob- mdb_sa_sk_ sl. dG9rO wos_ svix_ ngrok_ bws."
        " mlsn. essu_ snyk_uat. snyk_sat. fury_ unkey_ KSM_ K10 p8e- pat. sat. ptla_ ptlc_ pul_ sgd_ st. LL-",
    ),
    ("saas-token", "A-Z0-9-", 24, "A3- API-"),
    ("digest-key", "a-f0-9", 32, "key- pubkey- SK"),
    ("age-key", "A-Z0-9", 40, "AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1"),
    ("openshift-token", WORD, 40, "sha256~"),
    ("wallet-key", "a-km-zA-HJ-NP-Z1-9", 100, "xprv yprv zprv tprv"),
)
# Prefixes that also begin ordinary words and names: what follows must look drawn by chance.
_COMMON = frozenset(
    """
    EAA EAAA sess- csk- r8_ fw_ fc- e2b_ pa- rpa_ flp_ m0- BSA phx_ phs_ live_ test_ ck_live_ ck_test_ EZAK EZTK atkn_
    prtapi_ pypi- cio oy2 AKCp oct_ ACCA ABIA pul- dapi dkea dose vca_ vci_ vcr_ rnd_ tk-us- tk-pl- LTAI AKID
    YCAJ YCM y0_ AQVN ajeo secret_ ATTA ATBB re_ SG. ico- lip_ phc_ sdk- mob- sl. wos_ svix_ ngrok_ pat. sat. p8e- API- K10 pul_ st.
    LL- key- SK access-production- access-development- access-sandbox- glc_ sgd_ tfp_ KSM_ live_sk_ test_sk_ xai- jina_
    """.split()
)


@cache
def formats() -> dict[str, Format]:
    """Return the table by prefix."""
    table: dict[str, Format] = {}
    for kind, alphabet, least, prefixes in _FORMATS:
        table |= dict.fromkeys(prefixes.split(), Format(kind, alphabet, least))
    return table


@cache
def prefix_lengths() -> dict[str, tuple[int, ...]]:
    """Return the lengths of the prefixes that begin with two given characters, longest first."""
    lengths: dict[str, set[int]] = {}
    for prefix in formats():
        lengths.setdefault(prefix[:2], set()).add(len(prefix))
    return {start: tuple(sorted(found, reverse=True)) for start, found in lengths.items()}


@cache
def word_heads() -> frozenset[str]:
    """Return the first three characters of what a token without a digit may begin with, JSON web tokens among them.

    The prefixes of two characters are left out: after them digits follow.
    """
    return frozenset(prefix[:3] for prefix in formats()) | {"eyJ"}


def format_of(token: str) -> tuple[str, Format] | None:
    """Return the longest prefix of the table with which `token` begins, and its format."""
    for length in prefix_lengths().get(token[:2], ()):
        found = formats().get(token[:length])
        if found:
            return token[:length], found
    return None


def is_common(prefix: str) -> bool:
    """Tell whether the prefix also begins ordinary words, so that it alone proves nothing."""
    return prefix in _COMMON
