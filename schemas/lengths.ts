import { Type } from "typebox";

export const MILLIMETRES_PER_INCH = 25.4;
const MILLIMETRES = /^-?\d{1,3}(?:\.\d{1,2})?mm$/;

/**
 * A length on a label: a whole number of pixels, or a string in millimetres such as `3mm`. Drawing code receives only numbers,
 * because `inPixels` runs first.
 */
export const length = (bounds: { minimum: number; maximum: number }, description: string) =>
  Type.Unsafe<number>({
    type: ["integer", "string"],
    ...bounds,
    pattern: MILLIMETRES.source,
    errorMessage: 'must be a whole number of pixels, or millimetres such as "3mm" or "0.25mm"',
    description: `${description}. A number is in pixels, a string such as \`3mm\` in millimetres`,
  });

/** The fields that hold lengths, in any element. */
const FIELDS: ReadonlySet<string> = new Set([
  ...["x", "y", "width", "height", "size", "minimumSize", "textSize"],
  ...["thickness", "radius", "padding", "gap"],
]);

/** Converts millimetres to pixels; a length other than 0 has at least one pixel. */
function pixelsOf(text: string, dpi: number): number {
  const exact = (Number(text.slice(0, -"mm".length)) * dpi) / MILLIMETRES_PER_INCH;
  return Math.round(exact) || Math.sign(exact);
}

/**
 * Converts all lengths within a value to pixels; returns the value itself if none is in millimetres. The result may contain
 * lengths that are too small or too large.
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
