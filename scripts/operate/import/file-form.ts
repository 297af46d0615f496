import { type Static, Type } from "typebox";
import { isNumber } from "../../../domain/prices/price-number.ts";

/** The position of a field in a fixed-width line. The first character is at 1. */
const Place = Type.Object({
  from: Type.Integer({ minimum: 1, maximum: 10_000 }),
  length: Type.Integer({ minimum: 1, maximum: 10_000 }),
});

/** How the numbers in a column are written. */
const NumberForm = Type.Object({
  /** The number of decimal places in the item. */
  decimals: Type.Integer({ minimum: 0, maximum: 6 }),
  /** True if the file has no decimal mark: 000199 is 1.99. */
  implied: Type.Optional(Type.Boolean()),
  mark: Type.Optional(Type.Enum([".", ","])),
});
type NumberForm = Static<typeof NumberForm>;

/** How a price file is written. If absent, an `.xlsx` file is a workbook, and any other is CSV in UTF-8 with commas. */
export const FileForm = Type.Object({
  /** A name of the Encoding Standard, such as windows-1250. */
  encoding: Type.Optional(Type.String({ minLength: 1 })),
  delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
  /** The sheet of a workbook. If absent, the first one. */
  sheet: Type.Optional(Type.String({ minLength: 1 })),
  /** The columns of a fixed-width file, by name. */
  columns: Type.Optional(Type.Record(Type.String({ minLength: 1 }), Place, { minProperties: 1 })),
  /** Selects the lines of a fixed-width file that have this text at this place. */
  lines: Type.Optional(
    Type.Object({ from: Type.Integer({ minimum: 1, maximum: 10_000 }), text: Type.String({ minLength: 1 }) }),
  ),
  /** True if its lines may lack spaces at their ends. Otherwise a short line means that the file is incomplete. */
  isTrimmed: Type.Optional(Type.Boolean()),
  numbers: Type.Optional(Type.Record(Type.String({ minLength: 1 }), NumberForm)),
});
export type FileForm = Static<typeof FileForm>;

/** Thrown if a cell is not in the format that the mapping specifies. */
export class CellError extends Error {
  override readonly name = "CellError";
}

/** Larger than the difference between 1.99 and the binary fraction that a spreadsheet stores for it. */
const NOISE = 1e-9;

/**
 * Returns a number with the decimal places of its format and a decimal point, such as `1.90` for `1,9`. An empty cell stays
 * empty. Throws a CellError if the text is not in this format or would be rounded.
 */
export function decimalOf(text: string, { decimals, implied = false, mark = "." }: NumberForm): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  if (implied) {
    if (!/^-?\d{1,30}$/.test(trimmed))
      throw new CellError(`"${text}" must consist of 1 to 30 digits, such as 000199 for 1.99`);
    const digits = BigInt(trimmed.replace("-", "")).toString();
    const padded = digits.padStart(decimals + 1, "0");
    const whole = padded.slice(0, padded.length - decimals);
    const sign = trimmed.startsWith("-") && /[1-9]/.test(digits) ? "-" : "";
    return sign + whole + (decimals > 0 ? `.${padded.slice(-decimals)}` : "");
  }
  const plain = mark === "," ? trimmed.replace(",", ".") : trimmed;
  if (!isNumber(plain)) throw new CellError(`"${text}" must be a number such as 1${mark}99`);
  const fixed = Number(plain).toFixed(decimals);
  if (Math.abs(Number(plain) - Number(fixed)) > NOISE)
    throw new CellError(`"${text}" has more than ${decimals} decimals, and prices are not rounded`);
  return fixed;
}
