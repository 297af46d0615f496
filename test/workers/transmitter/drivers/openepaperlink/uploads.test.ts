import test from "ava";
import fc from "fast-check";
import {
  countAfterNext,
  outcomeOf,
  restAfter,
} from "../../../../../workers/transmitter/drivers/openepaperlink/uploads.ts";

const uploadTo = (tag: { pending: number; updateCount: number }) => ({ shownAt: countAfterNext(tag) });

test("a picture is shown once no picture waits and the count has grown by one", (t) => {
  const upload = uploadTo({ pending: 0, updateCount: 7 });
  t.is(outcomeOf(upload, { pending: 1, updateCount: 7 }), "waiting");
  t.is(outcomeOf(upload, { pending: 0, updateCount: 8 }), "shown");
  t.is(outcomeOf(upload, { pending: 0, updateCount: 7 }), "lost");
});

test("whichever waiting pictures are dropped, only the newest one that arrives counts as shown", (t) => {
  const dropped = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.nat(1000), dropped, (updateCount, isDropped) => {
      const upload = uploadTo({ pending: isDropped.length - 1, updateCount });
      const arrived = isDropped.filter((one) => !one).length;
      const outcome = outcomeOf(upload, { pending: 0, updateCount: updateCount + arrived });
      t.is(outcome, arrived === isDropped.length ? "shown" : "lost");
    }),
  );
});

test("an access point's rest doubles up to a minute, and jitter shortens it by at most half", (t) => {
  t.deepEqual(
    [1, 2, 3, 10].map((failures) => restAfter(failures, 0)),
    [2_000, 4_000, 8_000, 60_000],
  );
  t.is(restAfter(1, 0.5), 1_500);
});
