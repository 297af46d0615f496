import { isMac } from "../../../schemas/mac.ts";
import type { BarcodeSchemeOrder, CheckDigitRule, TenantOrder } from "../../../schemas/tenant.ts";
import { BARCODE_PIECE, type BarcodeFault, createFormFault } from "./barcode-form-words.ts";
import { asciiCheckDigit, gs1CheckDigit } from "./check-digits.ts";

/** Reads the label type from a label's barcode; undefined if the barcode is not valid. */
export interface BarcodeScheme {
  (barcode: string): number | undefined;
  /** Says in words what is wrong with an invalid barcode. */
  faultOf?: BarcodeFault;
}

/**
 * The type that is returned for a valid barcode without a label type. The type is then in the label's record, or follows from the
 * model that a row names.
 */
export const UNSTATED_TYPE = -1;

/** Returns the tenant's own scheme, or else the fallback. It also accepts MACs if the tenant's labels show their MACs. */
export function schemeOfTenant(
  { barcodeScheme: own, macBarcodes }: Pick<TenantOrder, "barcodeScheme" | "macBarcodes">,
  fallback: BarcodeScheme,
): BarcodeScheme {
  const scheme = own ? barcodeScheme(own) : fallback;
  if (!macBarcodes) return scheme;
  const readType: BarcodeScheme = (barcode) => scheme(barcode) ?? (isMacBarcode(barcode) ? UNSTATED_TYPE : undefined);
  return Object.assign(readType, {
    faultOf: (barcode: string) =>
      isMac(barcode) ? "a MAC as a barcode is written in capitals" : faultOfBarcode(scheme, barcode),
  });
}

/** Says what is wrong with a barcode that a scheme does not accept. */
export const faultOfBarcode = ({ faultOf }: BarcodeScheme, barcode: string): string =>
  faultOf?.(barcode) ?? "it does not have the form of a label's barcode";

/** Accepts only capitals: with two spellings, one MAC would be two labels. */
const isMacBarcode = (barcode: string): boolean => isMac(barcode) && barcode === barcode.toUpperCase();

/**
 * Creates a barcode scheme: a regular expression with a group `type`, whose digits are the label type, and a rule for the check
 * digit. The check digit is the group `check`, or else the last character, and is computed from all other characters. Throws
 * for a pattern without the group `type`.
 */
export function barcodeScheme({ pattern, checkDigit }: BarcodeSchemeOrder): BarcodeScheme {
  if (!pattern.includes("(?<type>")) throw new Error(`the barcode pattern ${pattern} has no group "type"`);
  const form = new RegExp(pattern, "d");
  const digitOf = rules[checkDigit];
  const formFault = createFormFault(pattern);
  function read(barcode: string): { type: string; digit: string; expected: string | undefined } | undefined {
    const match = form.exec(barcode);
    if (match === null) return undefined;
    const [from, to] = match.indices?.groups?.check ?? [barcode.length - 1, barcode.length];
    const expected = digitOf(barcode.slice(0, from) + barcode.slice(to));
    return { type: match.groups?.type ?? "", digit: barcode.slice(from, to), expected };
  }
  const readType: BarcodeScheme = (barcode) => {
    const { type = "", digit, expected = digit } = read(barcode) ?? {};
    return TYPE.test(type) && digit === expected ? Number(type) : undefined;
  };
  return Object.assign(readType, {
    faultOf(barcode: string) {
      const found = read(barcode);
      if (found === undefined) return formFault(barcode);
      const { type, digit, expected = digit } = found;
      if (!TYPE.test(type)) return `its label type must be 1 to 9 digits, not "${type}"`;
      return `its check digit must be ${expected}, not ${digit}`;
    },
  });
}

const TYPE = /^\d{1,9}$/;

/** Rules that compute the check digit from a barcode's other characters; undefined if there is none. */
const rules: Readonly<Record<CheckDigitRule, (body: string) => string | undefined>> = {
  "ascii-sum": asciiCheckDigit,
  gs1: gs1CheckDigit,
  none: () => undefined,
};

const PATTERN = new RegExp(String.raw`^\^(?:${BARCODE_PIECE}|\(\?<[a-z]{1,16}>(?:${BARCODE_PIECE})+\))+\$$`);
/** Maximum number of variable counts: each multiplies how often a part of the barcode is examined. */
const MAX_VARIABLE_COUNTS = 2;

/**
 * Returns what is wrong with a tenant's barcode pattern; undefined if nothing is. A valid pattern contains neither repeated
 * groups nor alternatives, so matching is always fast.
 */
export function patternFault(pattern: string): string | undefined {
  if (!PATTERN.test(pattern))
    return (
      `"${pattern}" is not a valid barcode pattern: between ^ and $, use characters, classes such as [0-9] and named groups ` +
      "such as (?<type>[0-9]{4}), each optionally followed by a count such as {4} or {1,4}"
    );
  if (!pattern.includes("(?<type>")) return `"${pattern}" has no group named "type", whose digits are the label type`;
  if ((pattern.match(/\{\d+,/g) ?? []).length > MAX_VARIABLE_COUNTS)
    return `"${pattern}" has more than ${MAX_VARIABLE_COUNTS} variable counts such as {1,4}`;
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    return `"${pattern}" is not a regular expression: ${(error as Error).message}`;
  }
}
