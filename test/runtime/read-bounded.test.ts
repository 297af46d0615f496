import test from "ava";
import { readBounded } from "../../runtime/read-bounded.ts";

/** A body in parts; `read` counts the parts that were read. */
function bodyOf(...parts: string[]) {
  const body = {
    read: 0,
    async *[Symbol.asyncIterator]() {
      for (const part of parts) {
        body.read += 1;
        yield Buffer.from(part);
      }
    },
  };
  return body;
}

test("a body is read up to its limit and no further", async (t) => {
  t.is((await readBounded(bodyOf("ab", "cd"), 4))?.toString(), "abcd");
  const long = bodyOf("ab", "cd", "e", "f");
  t.is(await readBounded(long, 4), undefined);
  t.is(long.read, 3);
  t.is((await readBounded(null, 4))?.length, 0);
});
