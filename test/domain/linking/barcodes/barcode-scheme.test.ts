import test from "ava";
import fc from "fast-check";
import {
  barcodeScheme,
  patternFault,
  schemeOfTenant,
  UNSTATED_TYPE,
} from "../../../../domain/linking/barcodes/barcode-scheme.ts";
import { asciiCheckDigit } from "../../../../domain/linking/barcodes/check-digits.ts";
import { readEnvironment } from "../../../../schemas/environment.ts";

const { BARCODE_PATTERN } = readEnvironment(["BARCODE_PATTERN"], [], {});
const summed = (pattern: string) => barcodeScheme({ pattern, checkDigit: "ascii-sum" });
const readType = summed(BARCODE_PATTERN);

const DIGITS = "0123456789";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const textOf = (alphabet: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
/** The first 16 characters of a barcode, and the label type in them. */
const body = fc
  .tuple(textOf(LETTERS, 1), textOf(DIGITS + LETTERS, 10), textOf(DIGITS, 4))
  .map(([letter, serial, type]) => ({ body: `${letter}4${serial}${type}`, type: Number(type) }));
const sumOf = (text: string): number => [...text].reduce((sum, character) => sum + character.charCodeAt(0), 0);

test("a barcode computed by hand: 65 + 52 + 10 * 48 + 49 + 54 + 50 + 56 = 806, so the check digit is 6", (t) => {
  t.is(readType("A400000000001628" + "6"), 1628);
});

test("characters 13 to 16 of a barcode are the label type", (t) => {
  fc.assert(
    fc.property(body, (given) => {
      t.is(readType(`${given.body}${sumOf(given.body) % 10}`), given.type);
    }),
  );
});

test("the 17th character must be the sum of the previous 16 characters' codes, modulo 10", (t) => {
  fc.assert(
    fc.property(body, fc.integer({ min: 1, max: 9 }), (given, off) => {
      t.is(readType(`${given.body}${(sumOf(given.body) + off) % 10}`), undefined);
    }),
  );
});

test("a misread character is detected unless the sum stays the same", (t) => {
  fc.assert(
    fc.property(body, fc.nat({ max: 15 }), fc.constantFrom(...DIGITS, ...LETTERS), (given, index, character) => {
      const misread = given.body.slice(0, index) + character + given.body.slice(index + 1);
      fc.pre(sumOf(misread) % 10 !== sumOf(given.body) % 10);
      t.is(readType(`${misread}${sumOf(given.body) % 10}`), undefined);
    }),
  );
});

const withDigit = (text: string): string => `${text}${sumOf(text) % 10}`;
const invalid: [string, string][] = [
  ["an empty string", ""],
  ["16 characters", withDigit("A40000000001628")],
  ["18 characters", withDigit("A4000000000001628")],
  ["a leading digit", withDigit("1400000000001628")],
  ["a second character other than 4", withDigit("A500000000001628")],
  ["a label type that is not a number", withDigit("A40000000000162X")],
  ["a letter as the check digit", "A400000000001628G"],
  ["a trailing space", `${withDigit("A400000000001628")} `],
  ["a trailing line break", `${withDigit("A400000000001628")}\n`],
  ["leading text", `x${withDigit("A400000000001628")}`],
];
for (const [what, barcode] of invalid) {
  test(`not a barcode: ${what}`, (t) => {
    t.is(readType(barcode), undefined);
  });
}

test("a barcode with its check digit is valid", (t) => {
  fc.assert(
    fc.property(body, (given) => {
      t.is(readType(`${given.body}${asciiCheckDigit(given.body)}`), given.type);
    }),
  );
});

test("another scheme is a pattern with a group `type`, with or without a check digit", (t) => {
  const readOwn = summed("^L(?<type>\\d{2})-\\d{4}$");
  t.is(readOwn(withDigit("L42-123")), 42);
  t.is(readOwn(withDigit("L42-12")), undefined);
  t.is(readOwn("L42-1231"), undefined);
  t.is(readOwn(withDigit("A400000000001628")), undefined);
});

test("a pattern without a group `type` is refused immediately, and the error names it", (t) => {
  for (const pattern of ["^[A-Z]4\\d{15}$", "^(\\d{4})$", "^(?<kind>\\d{4})$"]) {
    const error = t.throws(() => summed(pattern));
    t.true(error.message.includes(pattern), error.message);
  }
});

test("an invalid regular expression is refused immediately", (t) => {
  t.throws(() => summed("(?<type>[0-9"));
});

const schemes: [what: string, pattern: string, rule: "ascii-sum" | "gs1" | "none", good: string[], bad: string[]][] = [
  [
    "GS1: the check digit of an EAN-13 that begins with the label type",
    "^(?<type>[0-9]{4})[0-9]{8}(?<check>[0-9])$",
    "gs1",
    ["4006381333931", "0000000000000"],
    ["4006381333932", "400638133393", "40063813339311", "400638133393X"],
  ],
  [
    "GS1 over a body of a different length",
    "^(?<type>[0-9]{3})[0-9]{4}(?<check>[0-9])$",
    "gs1",
    ["96385074"],
    ["96385075", "96385047"],
  ],
  [
    "no check digit",
    "^ESL-(?<type>[0-9]{2})-[0-9A-F]{1,4}$",
    "none",
    ["ESL-07-A", "ESL-42-FFFF"],
    ["ESL-42-", "ESL-42-G"],
  ],
  [
    "a leading check digit",
    "^(?<check>[0-9])(?<type>[0-9]{2})[A-Z]{2}$",
    "ascii-sum",
    // 52 + 50 + 65 + 66 = 233
    ["342AB"],
    ["442AB", "342BA1"],
  ],
  ["an unused named group", "^(?<maker>[A-Z]{2})(?<type>[0-9]{1,3})$", "none", ["AB7", "AB777"], ["A7"]],
];
for (const [what, pattern, checkDigit, good, bad] of schemes) {
  test(`a tenant's scheme: ${what}`, (t) => {
    t.is(patternFault(pattern), undefined);
    const read = barcodeScheme({ pattern, checkDigit });
    for (const barcode of good) t.is(typeof read(barcode), "number", barcode);
    for (const barcode of bad) t.is(read(barcode), undefined, barcode);
  });
}

test("GS1 does not accept letters in a barcode as its check digit", (t) => {
  t.is(barcodeScheme({ pattern: "^(?<type>[0-9]{2})[A-Z][0-9]$", checkDigit: "gs1" })("42A0"), undefined);
});

test("the label type consists of digits: letters are not a type", (t) => {
  t.is(barcodeScheme({ pattern: "^(?<type>[0-9A-Z]{2})$", checkDigit: "none" })("4A"), undefined);
  t.is(barcodeScheme({ pattern: "^(?<type>[0-9A-Z]{2})$", checkDigit: "none" })("04"), 4);
});

const faulty: [what: string, pattern: string, reason: RegExp][] = [
  [
    "a repeated part",
    "^(?<type>[0-9]{2}){3}$",
    /not a valid barcode pattern.*, each optionally followed by a count such as /,
  ],
  ["alternatives", "^(?<type>[0-9]{2})|X$", /not a valid barcode pattern/],
  ["unlimited repetition", "^A+(?<type>[0-9]{2})$", /not a valid barcode pattern/],
  ["any character", "^.(?<type>[0-9]{2})$", /not a valid barcode pattern/],
  ["a group without a name", "^(A)(?<type>[0-9]{2})$", /not a valid barcode pattern/],
  ["a back-reference", "^(?<type>[0-9])\\1$", /not a valid barcode pattern/],
  ["no beginning", "(?<type>[0-9]{2})$", /not a valid barcode pattern/],
  ["no end", "^(?<type>[0-9]{2})", /not a valid barcode pattern/],
  ["no label type", "^[0-9]{4}$", /no group named "type"/],
  ["several variable counts", "^A{1,9}B{1,9}C{1,9}(?<type>[0-9]{2})$", /more than 2 variable counts/],
  ["a duplicate part", "^(?<type>[0-9])(?<type>[0-9])$", /not a regular expression/],
  ["a descending range", "^[9-0](?<type>[0-9])$", /not a regular expression/],
];
for (const [what, pattern, reason] of faulty) {
  test(`a tenant's pattern is refused: ${what}`, (t) => {
    t.regex(patternFault(pattern) ?? "", reason);
    t.true(patternFault(pattern)?.includes(pattern));
  });
}

test("the default pattern also satisfies the rules for a tenant's pattern", (t) => {
  t.is(patternFault(BARCODE_PATTERN), undefined);
});

test("no accepted pattern is slow for any barcode", (t) => {
  const worst = "^[0-9]{1,99}[0-9]{1,99}(?<type>[0-9]{4})$";
  t.is(patternFault(worst), undefined);
  t.is(barcodeScheme({ pattern: worst, checkDigit: "none" })(`${"1".repeat(64)}X`), undefined);
});

test("with `macBarcodes` a MAC of 12 or 16 hex digits in capitals is a barcode too, without a label type", (t) => {
  const read = schemeOfTenant({ macBarcodes: true }, readType);
  for (const mac of ["0000021F3C5A", "0000021F3C5A3B12", "123456789012"]) t.is(read(mac), UNSTATED_TYPE, mac);
  for (const other of ["0000021f3c5a", "0000021F3C5", "0000021F3C5A3", "00:00:02:1F:3C:5A", "0000021F3C5G"])
    t.is(read(other), undefined, other);
  t.is(read("A4000000000016286"), 1628, "the default scheme still applies");
  t.is(schemeOfTenant({}, readType)("0000021F3C5A3B12"), undefined);
});

test("a barcode that matches the tenant's own scheme has its label type, even if it looks like a MAC", (t) => {
  const own = { pattern: "^(?<type>[0-9]{4})[0-9]{8}$", checkDigit: "none" } as const;
  const read = schemeOfTenant({ barcodeScheme: own, macBarcodes: true }, readType);
  t.deepEqual([read("162800000001"), read("0000021F3C5A")], [1628, UNSTATED_TYPE]);
});
