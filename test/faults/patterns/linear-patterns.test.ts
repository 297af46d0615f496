import { availableParallelism } from "node:os";
import test from "ava";
import pLimit from "p-limit";
import { check } from "recheck";
import { loadedPatterns } from "./loaded-patterns.ts";
import { type ProductPattern, writtenPatterns } from "./written-patterns.ts";

/**
 * How patterns are checked. recheck turns a pattern into an automaton, and so decides for every input, not only for examples,
 * whether the steps of a backtracking match grow faster than the input. It does not measure time.
 */
const HOW = { checker: "automaton", timeout: null } as const;

/**
 * Parts that an automaton cannot represent, each with a replacement that takes at least as many steps. An assertion is replaced
 * by a part that consumes the characters that the assertion checks.
 */
const triedAs: readonly (readonly [part: string, as: string])[] = [
  ["([A-Za-z])\\2*", "a+|b+"],
  ["(?<=^|[^\\p{L}\\p{M}\\u00ad])", "(?:^|[^\\p{L}\\p{M}\\u00ad])"],
  ["(?=\\p{L}{1,2}(?![\\p{L}\\p{M}\\u00ad]))", "\\p{L}{1,2}[^\\p{L}\\p{M}\\u00ad]"],
  [
    "(?:(?![\\u00a0\\u2007\\u202f])\\s)*",
    "[\\t-\\r \\u1680\\u2000-\\u2006\\u2008-\\u200a\\u2028\\u2029\\u205f\\u3000\\ufeff]*",
  ],
  ["(?![\\p{L}\\p{N}])", "[^\\p{L}\\p{N}]"],
  ["(?<=\\u094d\\u200d?)", ""],
  ["(?=\\d{14}$)", "\\d{14}$"],
  ["^\\/(?![/\\\\])", "^\\/[^/\\\\]"],
  ["(?<=^|,)", "(?:^|,)"],
  ["(?=,|$)", "(?:,|$)"],
  ["(?=\\r\\n)", "\\r\\n"],
  ["(?<=\\p{Script=Latin}[-‐/])$", "\\p{Script=Latin}[-‐/]$"],
  ["(?![\\w.])", "[^\\w.]"],
  ["(?<!\\\\)", "[^\\\\]"],
];
/**
 * A quantifier with a maximum of two digits or more. It is checked without a maximum, because its automaton would have a state
 * for each repetition, and a check could take minutes.
 */
const COUNTS = /(?<!\\)\{([01]),\d{2,}\}/g;
/** The alternatives of all units, whose automaton would be large; they are checked as two units. */
const UNITS = /\(\?:pièces[^)]*\)/g;
const tried = (source: string): string =>
  triedAs
    .reduce((text, [part, as]) => text.replaceAll(part, as), source.replaceAll(UNITS, "(?:kg|l)"))
    .replaceAll(COUNTS, (_, least) => (least === "0" ? "*" : "+"));

/** Patterns that are not checked, by their beginning, with the reason. */
const notTried: Readonly<Record<string, string>> = {
  "\\[[^\\]]*\\]|\\\\d": "reads the patterns of our own schemas",
  '<div id="root">': "reads bull-board's page",
  "(?:[\\d٠-٩۰-۹०-९๐-๙]+(?:[.,'’٫٬\\u00a0\\u202f][\\d٠-٩۰-۹०-९๐-๙]+)*\\s?[x×]\\s?)*[\\d٠-٩۰-۹०-९๐-๙]+(?:[.,'’٫٬\\u00a0\\u202f][\\d٠-٩۰-۹०-९๐-๙]+)*[\\s":
    "looks for a net content in the last 64 characters of a text",
  "(?<=\u200b|\u00ad|":
    "looks at two letters with their marks after each hyphen and slash, and so at each letter only once",
  "[[\\p{Ll}&&": "matches one character",
  "([^};{\\s][^};{]*|": "reads the styles of an editor's package",
};
const isTried = ({ source }: ProductPattern): boolean =>
  !Object.keys(notTried).some((start) => source.startsWith(start));

/** Files that create a pattern when they are called and not when they are loaded, with the reason why the pattern is linear. */
const madeLater: Readonly<Record<string, string>> = {
  "api/middleware/store-hosts.ts": "two labels of a host, of at most 63 characters, and a text",
  "api/pages/browser/items/check-rows.ts": "the patterns of schemas, which are checked where they are created",
  "queues/redis-memory.ts": "a name and digits at the beginning of a line of Redis's INFO",
  "schemas/settings/other-servers.ts":
    "the operator's own barcode pattern, which is compiled at start-up and not matched there",
  "api/tolerance/strict-form.ts": "the patterns of schemas, on an empty text",
  "domain/law/layout-facts.ts": "a name of our own and a bracket, after which nothing is searched",
  "scripts/operate/home-assistant/discovery.ts": "the pattern of a price, which is checked where it is created",
  "domain/linking/barcodes/barcode-form-words.ts":
    "the pieces of a tenant's pattern on one character each, and the pattern of a piece on the tenant's pattern",
  "domain/linking/barcodes/barcode-scheme.ts":
    "a tenant's pattern, which has two variable counts of at most 99 and no repeated group",
};

const { patterns: written, made } = writtenPatterns();
const placesOf = (patterns: readonly ProductPattern[]) => new Set(patterns.map(({ at }) => at));
let loaded: ProductPattern[];
let all: Map<string, ProductPattern>;
test.before(async () => {
  loaded = await loadedPatterns();
  all = new Map([...written, ...loaded].map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
});

test("every regular expression of the product takes steps linear in the length of its text", async (t) => {
  const atOnce = pLimit(availableParallelism());
  const patterns = [...all.values()].filter(isTried);
  const faults = await Promise.all(
    patterns.map(({ source, flags, at }) =>
      atOnce(async () => {
        const found = await check(tried(source), flags.replaceAll(/[dv]/g, ""), HOW);
        if (found.status === "safe") return [];
        const why =
          found.status === "unknown" ? found.error.kind : `${found.complexity.summary} ${found.attack.pattern}`;
        return [`${at} /${source}/${flags}: ${why}`];
      }),
    ),
  );
  t.deepEqual(faults.flat(), []);
  t.true(patterns.length > 200, `${patterns.length} patterns`);
});

test("every place that builds a regular expression from text was observed or is listed", (t) => {
  const seen = placesOf(loaded);
  const file = (at: string) => at.slice(0, at.lastIndexOf(":"));
  const unseen = made.filter((at) => !seen.has(at)).map(file);
  t.deepEqual([...new Set(unseen)].toSorted(), Object.keys(madeLater).toSorted());
});

test("each listed place still exists", (t) => {
  const sources = [...all.values()].map(({ source }) => source);
  const isThere = (part: string) => sources.some((source) => source.includes(part));
  t.deepEqual(
    [...triedAs.map(([part]) => part), ...Object.keys(notTried)].filter((part) => !isThere(part)),
    [],
  );
});
