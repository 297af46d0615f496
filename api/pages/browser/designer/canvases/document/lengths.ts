const MILLIMETRES_PER_INCH = 25.4;
const MILLIMETRES = /^-?\d{1,3}(?:\.\d{1,2})?mm$/;

/** The unit that a designer works in. */
export type Unit = "px" | "mm";

/** A length in a design: whole pixels, or a string such as `3mm`. */
export type Length = number | string;

const isInMillimetres = (value: unknown): value is string => typeof value === "string" && MILLIMETRES.test(value);

/** Returns a length in pixels, as the renderer computes it: a length other than 0 has at least one pixel. */
export function pixelsOf(value: Length, dpi: number): number {
  if (typeof value === "number") return value;
  const exact = (Number(value.slice(0, -"mm".length)) * dpi) / MILLIMETRES_PER_INCH;
  return Math.round(exact) || Math.sign(exact);
}

export const millimetresOf = (pixels: number, dpi: number): number => (pixels * MILLIMETRES_PER_INCH) / dpi;

/** Converts pixels to a length in a unit; millimetres have two decimal places, which preserve every pixel. */
const lengthOf = (pixels: number, unit: Unit, dpi: number): Length =>
  unit === "px" ? pixels : `${Number(millimetresOf(pixels, dpi).toFixed(2))}mm`;

/** Returns a length of this many pixels, in the unit of the earlier length. */
export const inUnitOf = (former: Length, pixels: number, dpi: number): Length =>
  lengthOf(pixels, isInMillimetres(former) ? "mm" : "px", dpi);

/**
 * Reads a length as a person enters it: `12`, `12px`, `3mm`, `3,5 mm`. A number without a unit is in the given unit.
 * Undefined if the text is not a length.
 */
export function readLength(text: string, unit: Unit): Length | undefined {
  const found = /^(-?\d+(?:[.,]\d+)?)\s*(px|mm)?$/.exec(text.trim());
  if (found === null) return undefined;
  const [, digits = "", own = unit] = found;
  const number = Number(digits.replace(",", "."));
  if (own === "px") return Math.round(number);
  const millimetres = `${Number(number.toFixed(2))}mm`;
  return isInMillimetres(millimetres) ? millimetres : undefined;
}

/** Returns a length as a field shows it, in the unit that the user has chosen. */
export function shownLength(value: Length, unit: Unit, dpi: number): string {
  if (isInMillimetres(value) && unit === "mm") return value.slice(0, -"mm".length);
  const pixels = pixelsOf(value, dpi);
  return unit === "px" ? String(pixels) : String(Number(millimetresOf(pixels, dpi).toFixed(2)));
}
