import test from "ava";
import fc from "fast-check";
import { createSimulation, type Step } from "./simulation.ts";

const image = fc.constantFrom("a", "b", "c");
const nth = fc.nat(5);
const wanted = fc.record({
  kind: fc.constant("want" as const),
  images: fc.array(image, { minLength: 1, maxLength: 2 }),
});
const steps = [
  { weight: 3, arbitrary: wanted },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("wait" as const), seconds: fc.constantFrom(0.1, 1, 10) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("busy" as const, "refresh" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("land" as const), nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("fail" as const, "lose" as const), nth }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("receive" as const), nth, again: fc.boolean() }) },
] as const;
const step: fc.Arbitrary<Step> = fc.oneof(...steps);
/** Reports are lost as well, and transmissions in the air land in the order in which they were sent. */
const lossy: fc.Arbitrary<Step> = fc
  .oneof(...steps, { weight: 3, arbitrary: fc.record({ kind: fc.constant("lose report" as const), nth }) })
  .map((one) => (one.kind === "land" ? { ...one, nth: 0 } : one));
/** A wanted picture, followed by any events. */
const eventsOf = (one: fc.Arbitrary<Step>) =>
  fc.tuple(wanted, fc.array(one, { maxLength: 40, size: "max" })).map(([first, others]): Step[] => [first, ...others]);
const events = eventsOf(step);

function played(steps: readonly Step[]) {
  const simulation = createSimulation();
  for (const one of steps) simulation.play(one);
  return simulation;
}

test("after any sequence of events, a label that then acknowledges everything ends up showing the right picture, and nothing more is sent", (t) => {
  fc.assert(
    fc.property(events, (steps) => {
      const simulation = played(steps);
      simulation.settle();
      const state = simulation.state();
      const pages = state.wanted.map(({ page }) => page);
      t.deepEqual(
        simulation.glassOf().filter(({ page }) => pages.includes(page)),
        state.wanted,
      );
      t.is(state.sendDue, undefined);
      t.is(state.sending, undefined);
    }),
    { numRuns: 1000 },
  );
});

test("whichever reports are lost, a label without a due transmission shows the right picture", (t) => {
  fc.assert(
    fc.property(eventsOf(lossy), (steps) => {
      const simulation = createSimulation();
      for (const one of steps) {
        simulation.play(one);
        const { wanted, sendDue } = simulation.state();
        const pages = wanted.map(({ page }) => page);
        const glass = simulation.glassOf().filter(({ page }) => pages.includes(page));
        if (sendDue === undefined) t.deepEqual(glass, wanted);
      }
      t.pass();
    }),
    { numRuns: 1000 },
  );
});

test("if each picture is reported before the next one is requested, only pictures that differ from what their page shows are sent", (t) => {
  fc.assert(
    fc.property(fc.array(fc.array(image, { minLength: 1, maxLength: 2 }), { maxLength: 20 }), (wishes) => {
      const simulation = createSimulation();
      const glass: string[] = [];
      let sends = 0;
      for (const images of wishes) {
        sends += images.filter((one, page) => glass[page] !== one).length;
        for (const [page, one] of images.entries()) glass[page] = one;
        simulation.play({ kind: "want", images });
        simulation.settle();
        t.is(simulation.started.length, sends);
      }
      t.pass();
    }),
    { numRuns: 200 },
  );
});

test("when all reports have arrived, the stored pictures match the label", (t) => {
  fc.assert(
    fc.property(events, (steps) => {
      const simulation = played(steps);
      simulation.settle();
      t.deepEqual(
        simulation.state().shown.map(({ page, image: shown }) => ({ page, image: shown })),
        simulation.glassOf(),
      );
    }),
    { numRuns: 300 },
  );
});

test("every intended transmission has its own number, one above the last, and its retries keep the number and picture", (t) => {
  fc.assert(
    fc.property(events, (steps) => {
      let last = { number: 0, page: -1, image: "" };
      for (const send of played(steps).started) {
        if (send.number === last.number) t.deepEqual(send, last);
        else t.is(send.number, last.number + 1);
        last = send;
      }
      t.pass();
    }),
    { numRuns: 300 },
  );
});

test("after a refresh, every page that is still wanted is sent again, even if it is already being sent or has failed", (t) => {
  fc.assert(
    fc.property(events, (steps) => {
      const simulation = played([...steps, { kind: "refresh" }]);
      simulation.settle();
      const wanted = simulation.state().wanted.map(({ page }) => page);
      for (const { pages, after } of simulation.refreshes) {
        for (const page of pages.filter((one) => wanted.includes(one)))
          t.true(simulation.started.some((send) => send.page === page && send.number > after));
      }
      t.is(simulation.state().refreshing, undefined);
    }),
    { numRuns: 500 },
  );
});

test("a label that shows the wanted picture receives nothing, however many rounds run", (t) => {
  fc.assert(
    fc.property(events, (steps) => {
      const simulation = played(steps);
      simulation.settle();
      const before = simulation.started.length;
      for (let turn = 0; turn < 5; turn += 1) simulation.play({ kind: "wait", seconds: 100 });
      t.is(simulation.started.length, before);
    }),
    { numRuns: 200 },
  );
});
