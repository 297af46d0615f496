import { Type } from "typebox";

const MILLIMETRES_PER_INCH = 25.4;
const MILLIMETRES = /^-?\d{1,3}(?:\.\d{1,2})?mm$/;

/**
 * A length on a label: a whole number of pixels, or a text of millimetres such as `3mm`. It is a number wherever something
 * is drawn, since `inPixels` comes before.
 */
export const length = (bounds: { minimum: number; maximum: number }, description: string) =>
  Type.Unsafe<number>({
    type: ["integer", "string"],
    ...bounds,
    pattern: MILLIMETRES.source,
    errorMessage: 'must be a whole number of pixels, or millimetres such as "3mm" or "0.25mm"',
    description: `${description}. A number is in pixels, a string such as \`3mm\` in millimetres`,
  });

/** The fields that hold lengths, wherever they stand in an element. */
const FIELDS: ReadonlySet<string> = new Set([
  ...["x", "y", "width", "height", "size", "minimumSize", "textSize"],
  ...["thickness", "radius", "padding", "gap"],
]);

/** The pixels of millimetres; what is not 0 has at least one. */
function pixelsOf(text: string, dpi: number): number {
  const exact = (Number(text.slice(0, -"mm".length)) * dpi) / MILLIMETRES_PER_INCH;
  return Math.round(exact) || Math.sign(exact);
}

/**
 * What elements hold, with all lengths in pixels; the value itself where none is in millimetres. It is valid but for lengths
 * that are too small or too large.
 */
export function lengthsInPixels<Value>(value: Value, dpi: number): Value {
  if (typeof value !== "object" || value === null) return value;
  const made = Object.entries(value).map(([name, field]): [string, unknown] => {
    const isLength = typeof field === "string" && FIELDS.has(name) && MILLIMETRES.test(field);
    return [name, isLength ? pixelsOf(field, dpi) : lengthsInPixels(field, dpi)];
  });
  if (made.every(([name, field]) => field === (value as Record<string, unknown>)[name])) return value;
  return (Array.isArray(value) ? made.map(([, entry]) => entry) : Object.fromEntries(made)) as Value;
}
