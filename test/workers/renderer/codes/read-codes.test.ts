import test from "ava";
import fc from "fast-check";
import { anySize, drawLinear, drawMatrix, readCode, withCheckDigit } from "./read-codes.ts";

const symbologies = [
  ["ean13", "EAN-13", 13, "EAN13", "]E0"],
  ["ean8", "EAN-8", 8, "EAN8", "]E4"],
  ["upca", "UPC-A", 12, "UPCA", "]E0"],
] as const;

for (const [kind, name, length, format, identifier] of symbologies) {
  test(`1,000 ${name} of any digits, at any size, are read as they were drawn`, async (t) => {
    const value = fc.stringMatching(new RegExp(`^\\d{${length - 1}}$`)).map(withCheckDigit);
    await fc.assert(
      fc.asyncProperty(value, anySize, async (sent, size) => {
        t.deepEqual(await readCode(drawLinear(kind, sent, size), format), {
          text: sent,
          symbologyIdentifier: identifier,
        });
      }),
      { numRuns: 1000 },
    );
  });
}

test("1,000 Code 128 of any printable text, at any size, are read as they were drawn", async (t) => {
  const value = fc.stringMatching(/^[!-~]([ -~]{0,28}[!-~])?$/);
  await fc.assert(
    fc.asyncProperty(value, anySize, async (sent, size) => {
      t.deepEqual(await readCode(drawLinear("code128", sent, size), "Code128"), {
        text: sent,
        symbologyIdentifier: "]C0",
      });
    }),
    { numRuns: 1000 },
  );
});

/** Characters of GS1's set 82 without parentheses, which enclose the identifiers. */
const gs1Text = (maxLength: number) =>
  fc.stringMatching(new RegExp(`^[!"%&'*+,\\-./0-9:;<=>?A-Z_a-z]{1,${maxLength}}$`));
const gtin = fc.stringMatching(/^\d{13}$/).map((digits) => `(01)${withCheckDigit(digits)}`);
const bestBefore = fc
  .date({ min: new Date("2020-01-01"), max: new Date("2049-12-31"), noInvalidDate: true })
  .map((date) => `(17)${date.toISOString().slice(2, 10).replaceAll("-", "")}`);
const weight = fc.stringMatching(/^\d{6}$/).map((digits) => `(3103)${digits}`);
const batch = (maxLength: number) => gs1Text(maxLength).map((value) => `(10)${value}`);
const serial = (maxLength: number) => gs1Text(maxLength).map((value) => `(21)${value}`);

/** An element of variable length in the middle needs a separator after it. */
const elements = (maxLength: number) =>
  fc.oneof(
    gtin,
    fc.tuple(gtin, bestBefore).map((parts) => parts.join("")),
    fc.tuple(gtin, weight, batch(maxLength)).map((parts) => parts.join("")),
    fc.tuple(gtin, batch(maxLength), serial(maxLength)).map((parts) => parts.join("")),
    fc.stringMatching(/^\d{17}$/).map((digits) => `(00)${withCheckDigit(digits)}`),
  );

test("1,000 GS1-128 of any elements, at any size, are read as they were drawn", async (t) => {
  await fc.assert(
    fc.asyncProperty(elements(10), anySize, async (sent, size) => {
      t.deepEqual(await readCode(drawLinear("gs1-128", sent, size), "Code128", { isGs1: true }), {
        text: sent,
        symbologyIdentifier: "]C1",
      });
    }),
    { numRuns: 1000 },
  );
});

test("1,000 GS1 DataMatrix of any elements, at any size, are read as they were drawn", async (t) => {
  await fc.assert(
    fc.asyncProperty(elements(20), anySize, async (sent, size) => {
      t.deepEqual(await readCode(drawMatrix("gs1-datamatrix", sent, size), "DataMatrix", { isGs1: true }), {
        text: sent,
        symbologyIdentifier: "]d2",
      });
    }),
    { numRuns: 1000 },
  );
});

const address = fc.webUrl({ withQueryParameters: true });
const letters = fc.string({
  unit: fc.constantFrom(..."abcXYZ019 čćžšđäöüßΩЖ€日本😀.,:/"),
  minLength: 1,
  maxLength: 60,
});
const digits = fc.stringMatching(/^\d{1,80}$/);
const errorCorrection = fc.constantFrom("L", "M", "Q", "H");

test("1,000 QR codes of addresses, digits and texts in any letters, at any size, are read as they were drawn", async (t) => {
  const value = fc.oneof(address, letters, digits).filter((one) => one.trim() === one);
  await fc.assert(
    fc.asyncProperty(value, anySize, errorCorrection, async (sent, size, level) => {
      t.is((await readCode(drawMatrix("qr", sent, size, level), "QRCode")).text, sent);
    }),
    { numRuns: 1000 },
  );
});
