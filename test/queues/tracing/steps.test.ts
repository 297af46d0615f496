import test from "ava";
import { pino } from "pino";
import { createSteps } from "../../../queues/tracing/steps.ts";
import { type DoneStep, untraced } from "../../../queues/tracing/tracing.ts";
import { currentCauses } from "../../../runtime/causes.ts";

const causes = [{ request: 7, call: "a call" }];
const attributes = { rows: 3 };

/** Steps with a clock that advances five milliseconds each time it is read. */
function open(level = "debug") {
  const lines: Record<string, unknown>[] = [];
  const recorded: DoneStep[] = [];
  const causesOfLines: unknown[] = [];
  let now = 1_000;
  const write = (line: string) => {
    causesOfLines.push(currentCauses());
    lines.push(JSON.parse(line));
  };
  const steps = createSteps({
    tracing: { ...untraced, record: (step) => void recorded.push(step) },
    log: pino({ level }, { write }),
    now: () => {
      now += 5;
      return new Date(now);
    },
  });
  return { ...steps, lines, recorded, causesOfLines };
}

test("a step runs with its causes, and is recorded and logged with its duration when it ends", async (t) => {
  const { step, lines, recorded, causesOfLines } = open();
  t.deepEqual(await step("apply", causes, attributes, async () => currentCauses()), causes);
  t.deepEqual(recorded, [{ name: "apply", causes, attributes, from: new Date(1_005), fault: undefined }]);
  t.like(lines, { length: 1, 0: { level: 20, step: "apply", rows: 3, milliseconds: 5, msg: "a step has ended" } });
  t.false("fault" in (lines[0] ?? {}));
  t.deepEqual(causesOfLines, [causes]);
});

test("a result may be a failure, and an error always is: the step names, records and rethrows it", async (t) => {
  const { step, lines, recorded } = open();
  t.is(
    await step(
      "transmit",
      causes,
      attributes,
      async () => 503,
      (status) => `status ${status}`,
    ),
    503,
  );
  const error = new RangeError("with the content of an item");
  t.is(await t.throwsAsync(step("merge", causes, attributes, () => Promise.reject(error))), error);
  t.deepEqual(
    recorded.map(({ name, fault }) => [name, fault]),
    [
      ["transmit", "status 503"],
      ["merge", "RangeError"],
    ],
  );
  t.deepEqual(
    lines.map(({ fault }) => fault),
    ["status 503", "RangeError"],
  );
  t.false(JSON.stringify(lines).includes("content"));
});

test("without debug lines a step is only recorded", (t) => {
  const { noteStep, lines, recorded } = open("info");
  const done = { name: "report", causes, attributes, from: new Date(0), fault: "late" };
  noteStep(done);
  t.deepEqual([recorded, lines], [[done], []]);
});
