import test from "ava";
import { createBatcher } from "../../runtime/batch/batcher.ts";
import {
  causeByStamp,
  causeOfWrite,
  currentCauses,
  distinctCauses,
  withCauses,
  withRequests,
} from "../../runtime/causes.ts";
import type { Cause } from "../../schemas/cause.ts";
import { stampOf } from "../../schemas/stamp.ts";

const first: Cause = { request: 7, call: "first" };
const second: Cause = { request: 8, call: "second" };

for (const [where, body] of Object.entries({
  "a field's stamp": { stamps: { price: stampOf(7, 3), itemName: stampOf(5, 1) } },
  "a property's stamp": { stamps: { price: stampOf(6, 0) }, properties: [{ key: "a", stamp: stampOf(7, 0) }] },
  "the record's own stamp": { stamp: stampOf(7, 999), number: stampOf(8, 0) },
  "the floor of a deletion": { stamps: { price: stampOf(2, 0) }, floor: stampOf(7, 0) },
}))
  test(`with several requests the cause of a record is the request that made its largest stamp: ${where}`, (t) => {
    t.is(causeByStamp([first, second], body), first);
  });

test("a record that none of several requests has stamped has no cause; if there is only one request, it is the cause", (t) => {
  t.is(causeByStamp([first, second], { stamps: { price: stampOf(9, 0) } }), undefined);
  t.is(causeByStamp([first], {}), first);
});

test("changes with several causes do not reveal which of them wrote a record, but rows of requests do", (t) => {
  const body = { stamp: stampOf(8, 0) };
  t.is(
    withCauses([first, second], () => causeOfWrite(body)),
    undefined,
  );
  t.is(
    withRequests([first, second], () => causeOfWrite(body)),
    second,
  );
  t.is(causeOfWrite(body), undefined, "outside of both");
});

test("requests with the same number in two stores are two causes", (t) => {
  const other = { request: 7, call: "of another store" };
  t.deepEqual(distinctCauses([first, undefined, other, { ...first }]), [first, other]);
});

test("a batch is not attributed to the call that started it", async (t) => {
  const seen: (readonly Cause[])[] = [];
  const add = createBatcher<string, undefined>({
    weigh: () => 1,
    maxWeight: 10,
    async run(entries) {
      seen.push(currentCauses());
      return entries.map(() => undefined);
    },
  });
  await withCauses([first], () => add("of a call"));
  t.deepEqual(seen, [[]]);
});

test("a write is attributed to the cause of its work if there is only one, and to none otherwise", (t) => {
  const [one, other] = [{ call: "one" }, { call: "other" }];
  t.deepEqual(
    withCauses([one], () => causeOfWrite({})),
    one,
  );
  t.is(
    withCauses([one, other], () => causeOfWrite({})),
    undefined,
  );
  t.is(causeOfWrite({}), undefined);
});
