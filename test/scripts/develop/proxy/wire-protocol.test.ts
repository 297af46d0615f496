import test from "ava";
import fc from "fast-check";
import { createFramer } from "../../../../scripts/develop/proxy/wire-protocol.ts";

const HEADER_BYTES = 16;

/** Returns a message with a body of this many bytes. */
function messageOf(bytes: number, fill: number): Buffer {
  const message = Buffer.alloc(HEADER_BYTES + bytes, fill);
  message.writeInt32LE(message.length, 0);
  return message;
}

test("messages are complete and in order, however the network splits them", (t) => {
  const bodies = fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 8 });
  const pieces = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(bodies, pieces, (sizes, lengths) => {
      const messages = sizes.map((bytes, index) => messageOf(bytes, index + 1));
      const stream = Buffer.concat(messages);
      const frame = createFramer();
      const framed: Buffer[] = [];
      for (let at = 0, index = 0; at < stream.length; index += 1) {
        const length = lengths[index % lengths.length] ?? 1;
        framed.push(...frame(stream.subarray(at, at + length)));
        at += length;
      }
      t.deepEqual(framed, messages);
    }),
  );
});

test("the rest of a message waits for its end", (t) => {
  const frame = createFramer();
  const message = messageOf(10, 1);
  t.deepEqual(frame(message.subarray(0, 20)), []);
  t.deepEqual(frame(message.subarray(20)), [message]);
});
