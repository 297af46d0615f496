import test from "ava";
import fc from "fast-check";
import { isVoid, VOID } from "../../../../records/requests/journal.ts";

const drawnAt = new Date("2026-03-01T08:00:00Z");
const after = (ms: number): Date => new Date(drawnAt.getTime() + ms);

test("a chunk stored after its caller was refused never takes effect", (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 60_000 }), (took, validFor) => {
      t.is(isVoid({ drawnAt, journaledAt: after(took), validFor }), took > validFor);
    }),
  );
});

test("a chunk stored exactly at the limit is valid", (t) => {
  t.false(isVoid({ drawnAt, journaledAt: after(3_000), validFor: 3_000 }));
  t.true(isVoid({ drawnAt, journaledAt: after(3_001), validFor: 3_000 }));
});

test("a request with no time left is void as soon as time passes", (t) => {
  t.true(isVoid({ drawnAt, journaledAt: after(1), validFor: 0 }));
  t.true(isVoid({ drawnAt, journaledAt: drawnAt, validFor: -1 }));
});

test("a chunk stored before its number was drawn is void, since its duration is unknown", (t) => {
  t.true(isVoid({ drawnAt, journaledAt: after(-1), validFor: 3_000 }));
  t.false(isVoid({ drawnAt, journaledAt: drawnAt, validFor: 0 }));
});

test("a chunk that was made void stays void, whatever its dates", (t) => {
  for (const took of [-1, 0, 1, 60_000])
    t.true(isVoid({ drawnAt, journaledAt: after(took), validFor: VOID }), `${took}`);
});
