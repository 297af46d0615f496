import { createRequire } from "node:module";
import type { HyphenationFunctionSync } from "hyphen";
import { spendBudget } from "../../domain/expression/meter.ts";

const require = createRequire(import.meta.url);

/** Languages with patterns, by their code in a locale. The patterns of a language are loaded when it is first used. */
const LANGUAGES: ReadonlySet<string> = new Set(
  "be bg ca da de el en es et fi fr ga hr hu is it lt nb nl no pl pt ru sl sq sv tr uk".split(" "),
);

/** Languages whose patterns Shelfwire does not ship, because of their licences (docs/designs/hyphenation.md). */
const OPTIONAL: ReadonlySet<string> = new Set("cs lv mk ro sk sr".split(" "));
/** The package that contains these patterns, which an operator may install. */
const OPTIONAL_PACKAGE = "hyphen-optional";

/** The library keeps every word that it has processed, so a hyphenator is replaced after this many characters. */
const MAX_CHARACTERS = 1_000_000;
const SHORTEST_WORD = 6;
/** At least two letters precede a hyphen, and three follow it. */
const TOO_SHORT = /(?<=^|[^\p{L}\p{M}\u00ad])(\p{L}\p{M}*)\u00ad|\u00ad(?=\p{L}{1,2}(?![\p{L}\p{M}\u00ad]))/gu;

const hyphenators = new Map<string, { hyphenate: HyphenationFunctionSync; characters: number }>();

/**
 * Inserts soft hyphens where the words of a text may be hyphenated in a locale's language; none if the language has no
 * patterns. Each character takes a step of the current drawing's budget.
 */
export function hyphenated(text: string, locale: string): string {
  const language = locale.split("-", 1)[0] ?? "";
  const source = sourceOf(language);
  if (source === undefined) return text;
  spendBudget(text.length);
  const known = hyphenators.get(language);
  const isRoom = known !== undefined && known.characters < MAX_CHARACTERS;
  const hyphenator = isRoom ? known : { hyphenate: hyphenatorOf(source), characters: 0 };
  hyphenator.characters += text.length;
  hyphenators.set(language, hyphenator);
  return hyphenator.hyphenate(text).replace(TOO_SHORT, "$1");
}

/** Returns the module with a language's patterns. Undefined if this installation has none. */
export function sourceOf(language: string, isInstalled: (module: string) => boolean = isFound): string | undefined {
  if (LANGUAGES.has(language)) return `hyphen/${language}`;
  const source = `${OPTIONAL_PACKAGE}/${language}`;
  return OPTIONAL.has(language) && isInstalled(source) ? source : undefined;
}

const found = new Map<string, boolean>();

/** Whether a module can be loaded from here. Checked once per module. */
function isFound(module: string): boolean {
  const known = found.get(module);
  if (known !== undefined) return known;
  let isThere = true;
  try {
    require.resolve(module);
  } catch {
    isThere = false;
  }
  found.set(module, isThere);
  return isThere;
}

function hyphenatorOf(source: string): HyphenationFunctionSync {
  const createHyphenator = require("hyphen");
  return createHyphenator(require(source).patterns, { minWordLength: SHORTEST_WORD });
}
