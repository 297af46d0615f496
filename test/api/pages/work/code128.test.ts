import test from "ava";
import fc from "fast-check";
import { code128, QUIET_ZONE } from "../../../../api/pages/work/code128.ts";
import { linearSymbol } from "../../../../drawing/codes/encode-codes.ts";

/** Strings without adjacent digits, which code set C could encode in fewer bars. */
const text = fc
  .array(
    fc.tuple(
      fc.string({ unit: fc.constantFrom(..."ABCXYZabcxyz -./_"), minLength: 1, maxLength: 4 }),
      fc.constantFrom(..."0123456789"),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.flat().join(""));

test("a code on paper has the same bars as the drawing of a design makes for the text", (t) => {
  fc.assert(
    fc.property(text, (value) => {
      let x = QUIET_ZONE;
      const bars = (code128(value) ?? []).flatMap((width, index) => {
        x += width;
        return index % 2 === 0 ? [x - width, x] : [];
      });
      t.deepEqual(bars, [...linearSymbol("code128", value).bars], value);
    }),
    { numRuns: 50 },
  );
});

test("text with characters that Code 128 lacks has no code", (t) => {
  t.is(code128("Š1"), undefined);
  t.is(code128(""), undefined);
  t.truthy(code128("04A1B2C3D4E5F6"));
});
