import test from "ava";
import { causeAtRest, isCovered, isWarned, verdictOf } from "../../../../api/labels/explain/verdict.ts";
import { at, factsOfALabel, revAt } from "./facts-of-a-label.ts";

type Facts = ReturnType<typeof factsOfALabel>;
const present = factsOfALabel();
const [position] = present.positions;
const now = at(30);

const linked = (differs: object): Partial<Facts> => ({
  positions: [{ ...position, link: { ...position.link, ...differs } }] as Facts["positions"],
});
const heard = (differs: object): Partial<Facts> => ({ state: { ...present.state, ...differs } as Facts["state"] });
const longAgo = new Date(now.getTime() - 2 * present.offlineAfterMs);

const atRest: Record<string, Partial<Facts>> = {
  "a correct label": {},
  "a silent label": heard({ lastSeen: longAgo, checksIn: true }),
  "a label that never checks in": heard({ lastSeen: longAgo, checksIn: undefined }),
  "a label without a link": { positions: [] as unknown as Facts["positions"], image: undefined, state: undefined },
  "a deactivated link": linked({ status: "INACTIVE", switchedOff: true }),
  "a link without its item": linked({ status: "INACTIVE" }),
};
for (const [what, differs] of Object.entries(atRest)) {
  test(`the verdict on a label at rest is the same from a few facts as from all of them: ${what}`, (t) => {
    const facts = { ...present, ...differs };
    const links = facts.positions.flatMap(({ link }) => link ?? []);
    t.is(causeAtRest({ state: facts.state, links }, now, facts.offlineAfterMs), verdictOf(facts, now).found.cause);
  });
}

const waiting = {
  number: 7,
  operation: "patch-items" as const,
  urgency: "bulk" as const,
  ordered: false,
  drawnAt: new Date(revAt(8)),
};
test("a label with an accepted but unapplied price is behind whatever it shows, and a label at rest is not", (t) => {
  t.like(verdictOf(present, now), { state: "OK", isBehind: false, found: { cause: "UP_TO_DATE" } });
  const requests = { naming: [waiting], isCut: false };
  t.like(verdictOf({ ...present, requests }, now), {
    state: "PENDING",
    isBehind: true,
    found: { cause: "REQUEST_WAITS" },
  });
});

test("a blank label is behind only if its item has a price", (t) => {
  const detail = "a text does not fit";
  const blankOf = (shown: object): Partial<Facts> => ({
    image: { ...present.image, fault: { kind: "drawing", detail }, shows: [shown] } as unknown as Facts["image"],
    ...heard({ fault: detail }),
  });
  const { price: _, ...unpriced } = { price: "", ...present.image?.shows[0] };
  t.true(verdictOf({ ...present, ...blankOf({ ...unpriced, price: "1.99" }) }, now).isBehind);
  t.false(verdictOf({ ...present, ...blankOf(unpriced) }, now).isBehind);
});

test("a label has the state of its gravest cause, and a problem outranks a picture on its way", (t) => {
  const queues = { ...present.queues, item: { waiting: 1, active: 0, processes: 0 } } as Facts["queues"];
  const requests = { naming: [waiting], isCut: false };
  t.like(verdictOf({ ...present, requests, queues }, now), { state: "ERROR", found: { cause: "PROCESS_MISSING" } });
});

test("errors and warnings of a drawing count unless an uploaded image replaces it", (t) => {
  t.false(isWarned({ warnings: [] }));
  t.true(isWarned({ warnings: ["a text is cut"] }));
  t.true(isWarned({ warnings: [], errors: ["a code with a wrong check digit"] }));
  t.true(isCovered({ pages: [{ page: 0, image: "a", uploaded: true }] }));
  t.false(isCovered({ pages: [{ page: 0, image: "a" }] }));
});
