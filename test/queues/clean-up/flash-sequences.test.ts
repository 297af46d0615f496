import test from "ava";
import { beginSequence } from "../../../domain/labels/advance-sequence.ts";
import { flashSequences } from "../../../records/kinds/work.ts";
import { flashSequenceKey } from "../../../schemas/keys.ts";
import { ownSystem } from "../../harness/own.ts";
import { RESULT_TTL } from "../../harness/system.ts";
import { ago, cleanUpOf, DAY_MS, STORE } from "./a-clean-up.ts";

const HOUR_MS = 3_600_000;
const world = ownSystem();
const { runCleanUp, set } = cleanUpOf(world);

test.serial("a flash sequence is deleted RESULT_TTL after its end, and never while it runs", async (t) => {
  const begun = { ...beginSequence({ advance: "button", steps: [] }, () => undefined, ago(0)()) };
  const ended = (milliseconds: number) => ({ ...begun, endedAt: ago(milliseconds)() });
  const { endedAt, ...running } = begun;
  const stored = {
    old: ended(RESULT_TTL * 1000 + 1),
    recent: ended(RESULT_TTL * 1000 - HOUR_MS),
    running: { ...running, state: "running" as const, createdAt: ago(35 * DAY_MS)() },
  };
  const keys = new Map(Object.entries(stored).map(([name, body]) => [flashSequenceKey(STORE, name), body]));
  for (const [key, body] of keys) await set(flashSequences, key, body);
  await runCleanUp();
  const left = await world.system.records.readRevs(flashSequences, [...keys.keys()]);
  t.deepEqual([...left.keys()].sort(), [flashSequenceKey(STORE, "recent"), flashSequenceKey(STORE, "running")]);
});
