import test from "ava";
import { labelStates } from "../../../../records/kinds/labels.ts";
import { labelKey, storeKey } from "../../../../schemas/keys.ts";
import { newLabelState } from "../../../../schemas/label-state.ts";
import { ownSystem } from "../../../harness/own.ts";
import { runAdmin } from "../../../harness/processes/run-command.ts";

const world = ownSystem();
const admin = (...args: string[]) => runAdmin(world.databases, args);
const state = labelKey(storeKey("demo", "main"), "A");

for (const [what, args, why] of [
  ["an unknown command", ["nonsense"], /nonsense/],
  ["a missing argument", ["explain"], /BARCODE/],
] as const)
  test(`${what} exits with 2 and says what is wrong`, async (t) => {
    const { code, out, err } = await admin(...args);
    t.deepEqual([code, out], [2, ""]);
    t.regex(err, why);
  });

test("help exits with 0, and a refused command with 1", async (t) => {
  const [help, refused] = await Promise.all([admin("help", "restored"), admin("restored", "--step", "0")]);
  t.deepEqual([help.code, help.err], [0, ""]);
  t.regex(help.out, /^usage: npm run admin -- restored/);
  t.deepEqual([refused.code, refused.out], [1, ""]);
  t.regex(refused.err, /--step must be a number from 1 to 999999999, not "0"/);
});

test.serial(
  "restored previews its changes and then makes them, and shows its progress only in a terminal",
  async (t) => {
    const { commit, records, redis } = world.system;
    await commit.change(labelStates, [state], () => newLabelState(), "bulk");
    await redis.set("a key of before the restore", "1");
    const dry = await admin("restored", "--dry-run");
    t.is(dry.code, 0, dry.err);
    t.regex(dry.out, /\n1 labels would be sent their pictures again/);
    t.is(await redis.exists("a key of before the restore"), 1);

    const done = await admin("restored", "--json");
    t.is(done.code, 0, done.err);
    t.is(done.err, "");
    t.like(JSON.parse(done.out), { command: "restored", isDryRun: false, labels: 1 });
    t.truthy((await records.read(labelStates, [state])).get(state));
  },
);
