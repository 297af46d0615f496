/** A number in JSON text that is not written in its standard form: `1.10`, `1e3`, or with too many digits. */
export class WrittenNumber {
  // Private, so that the number has no members that would count as members of an object.
  readonly #source: string;
  readonly #value: number;
  constructor(source: string, value: number) {
    this.#source = source;
    this.#value = value;
  }
  get source(): string {
    return this.#source;
  }
  get value(): number {
    return this.#value;
  }
}

/** Parses JSON text as `JSON.parse` does, except that numbers not in their standard form become WrittenNumbers. */
export const parseWritten = (text: string): unknown => parse(text, keepWritten);

type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown;
/** TypeScript does not know the reviver's third argument yet (ECMAScript, JSON.parse source text access). */
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

const keepWritten: Reviver = (_, value, { source }) =>
  typeof value === "number" && source !== undefined && String(value) !== source
    ? new WrittenNumber(source, value)
    : value;

const NUMBER = /[:[,]\s*(-?\d[\d.eE+-]*)/g;

/**
 * Whether a part of JSON text may contain a number that is not in its standard form; the part begins and ends at a
 * comma. A number inside a string also counts.
 */
export function mayHoldWrittenNumber(part: string): boolean {
  for (const [, number] of part.matchAll(NUMBER)) if (String(Number(number)) !== number) return true;
  return false;
}
