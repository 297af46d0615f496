import test from "ava";
import { createGrowingBytes } from "../../../api/body/growing-bytes.ts";

test("parts are joined in order, and no copy of a part is kept", (t) => {
  const bytes = createGrowingBytes(12);
  const parts = ["sal", "t & ", "", "bread"].map((part) => Buffer.from(part));
  for (const part of parts) {
    bytes.add(part);
    part.fill("x");
  }
  // The first part is not copied until a second one arrives.
  t.is(bytes.whole().toString(), "xxxt & bread");
  t.throws(() => bytes.add(Buffer.from("!")), { instanceOf: RangeError });
});

test("a single part is returned unchanged, and without parts the text is empty", (t) => {
  const bytes = createGrowingBytes(4);
  t.is(bytes.whole().length, 0);
  const part = Buffer.from("salt");
  bytes.add(part);
  t.is(bytes.whole(), part);
});

test("released bytes are freed, even if something still refers to them", (t) => {
  const bytes = createGrowingBytes(8);
  for (const part of ["salt", "bread".slice(0, 4)]) bytes.add(Buffer.from(part));
  const whole = bytes.whole();
  t.is(whole.length, 8);
  bytes.release();
  t.is(whole.length, 0);
  t.is(whole.buffer.byteLength, 0);
});
