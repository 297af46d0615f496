import { type Clause, type Field, fieldsOf, isNegative, isPresence, isWhole, type Sentence } from "./clauses.ts";
import { withoutLeadingZeros, withoutTrailingZeros } from "./zeros.ts";

/**
 * Writes a sentence in CEL. Guards a property that an item may lack if its absence would change the meaning, and converts
 * strings to numbers, so that the expression evaluates as it reads.
 */
export function writeSentence({ join, clauses }: Sentence): string {
  const isAlone = clauses.length === 1;
  if (join === "and" || isAlone)
    return clauses
      .map((clause) => (isNegative(clause) ? guardedNegative(clause, !isAlone) : bare(clause)))
      .join(" && ");
  return clauses
    .map((clause) => {
      if (isNegative(clause)) return guardedNegative(clause, false);
      return isPresence(clause) ? bare(clause) : `(${[...fieldsOf(clause).map(present), bare(clause)].join(" && ")})`;
    })
    .join(" || ");
}

const guardedNegative = (clause: Clause, isInList: boolean): string => {
  const guarded = `${absent(clause.field)} || ${bare(clause)}`;
  return isInList ? `(${guarded})` : guarded;
};

const operators = { below: "<", atMost: "<=", above: ">", atLeast: ">=", equals: "==" } as const;

/** Writes a clause without the guard for its fields. */
function bare(clause: Clause): string {
  const path = pathText(clause.field);
  switch (clause.test) {
    case "exists":
      return present(clause.field);
    case "missing":
      return absent(clause.field);
    case "is":
    case "isNot": {
      const [first = "", ...others] = clause.values.map((value) => (isWhole(clause.field) ? value : quoted(value)));
      const isNot = clause.test === "isNot";
      if (others.length === 0) return `${path} ${isNot ? "!=" : "=="} ${first}`;
      const among = `${path} in [${[first, ...others].join(", ")}]`;
      return isNot ? `!(${among})` : among;
    }
    case "containsNot":
      return `!${path}.contains(${quoted(clause.text)})`;
    case "contains":
    case "startsWith":
    case "endsWith":
      return `${path}.${clause.test}(${quoted(clause.text)})`;
    default:
      return `${numberOf(clause.field)} ${operators[clause.test]} ${amountText(clause)}`;
  }
}

function amountText({ field, amount }: Extract<Clause, { amount: unknown }>): string {
  if ("number" in amount) return isWhole(field) ? amount.number : withPoint(amount.number);
  const factor = asFactor(amount.percent);
  return `${numberOf(amount.of)}${factor === "1.0" ? "" : ` * ${factor}`}`;
}

const numberOf = (field: Field): string => (isWhole(field) ? pathText(field) : `double(${pathText(field)})`);
const withPoint = (number: string): string => (number.includes(".") ? number : `${number}.0`);

/** Returns a percentage as a factor: 80 is 0.8. */
function asFactor(percent: string): string {
  const [whole = "0", fraction = ""] = percent.split(".");
  const digits = whole.padStart(3, "0");
  const moved = `${digits.slice(0, -2)}.${digits.slice(-2)}${fraction}`;
  return withoutLeadingZeros(withoutTrailingZeros(moved));
}

/** CEL keywords, which cannot follow a dot. */
const keywords = new Set(["in", "true", "false", "null", "as"]);
const isName = (key: string): boolean => /^[A-Za-z_]\w*$/.test(key) && !keywords.has(key);

/** Returns a field's path in CEL notation. */
export const pathText = ({ root, key }: Field): string => (isName(key) ? `${root}.${key}` : `${root}[${quoted(key)}]`);

const present = (field: Field): string =>
  isName(field.key) ? `has(${pathText(field)})` : `${quoted(field.key)} in ${field.root}`;
const absent = (field: Field): string => (isName(field.key) ? `!${present(field)}` : `!(${present(field)})`);

/** Writes a string in CEL notation. */
const quoted = (text: string): string => JSON.stringify(text);
