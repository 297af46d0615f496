import test from "ava";
import { barcodeScheme, schemeOfTenant } from "../../../../domain/linking/barcodes/barcode-scheme.ts";
import type { CheckDigitRule } from "../../../../schemas/tenant.ts";

const FAMILY = "^[A-Z]4[0-9A-Z]{10}(?<type>[0-9]{4})[0-9]$";
const EAN = "^(?<type>[0-9]{4})[0-9]{8}(?<check>[0-9])$";

for (const [what, pattern, checkDigit, barcode, fault] of [
  ["too short", FAMILY, "ascii-sum", "A4", "it has 2 characters, but a barcode has 17"],
  ["too long", FAMILY, "ascii-sum", "A4000000000016286 ", "it has 18 characters, but a barcode has 17"],
  [
    "a digit in place of a letter",
    FAMILY,
    "ascii-sum",
    "14000000000016286",
    'its character 1 must be a letter A to Z, not "1"',
  ],
  ["a different digit", FAMILY, "ascii-sum", "A5000000000016286", 'its character 2 must be "4", not "5"'],
  [
    "a lowercase letter",
    FAMILY,
    "ascii-sum",
    "A4x00000000016286",
    'its character 3 must be one of 0 to 9, A to Z, not "x"',
  ],
  ["a letter in the label type", FAMILY, "ascii-sum", "A400000000001O286", 'its character 14 must be a digit, not "O"'],
  ["a wrong check digit", FAMILY, "ascii-sum", "A4000000000016283", "its check digit must be 6, not 3"],
  ["a wrong check digit of GS1", EAN, "gs1", "4006381333932", "its check digit must be 1, not 2"],
  [
    "a variable number of digits",
    "^L(?<type>\\d{2})-\\d{1,4}$",
    "none",
    "L42-",
    "it has 4 characters, but a barcode has 5 to 8",
  ],
  [
    "a pattern with an alternative",
    "^(?<type>\\d{2})(a|b)$",
    "none",
    "42c",
    "it does not have the form of a label's barcode",
  ],
] as const satisfies readonly (readonly [string, string, CheckDigitRule, string, string])[])
  test(`the refusal of a bad barcode says what is wrong: ${what}`, (t) => {
    const scheme = barcodeScheme({ pattern, checkDigit });
    t.is(scheme(barcode), undefined);
    t.is(scheme.faultOf?.(barcode), fault);
  });

test("if MACs are barcodes as well, a MAC in lowercase letters is refused for its case", (t) => {
  const scheme = schemeOfTenant({ macBarcodes: true }, barcodeScheme({ pattern: FAMILY, checkDigit: "ascii-sum" }));
  t.is(scheme.faultOf?.("00000218d6c53b19"), "a MAC as a barcode is written in capitals");
  t.is(scheme.faultOf?.("A4"), "it has 2 characters, but a barcode has 17");
});
