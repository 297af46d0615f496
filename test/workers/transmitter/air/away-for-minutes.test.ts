import test from "ava";
import { idOf } from "../../../../schemas/keys.ts";
import { ownSystem } from "../../../harness/own.ts";
import { runsToTry } from "../../../harness/searches/effort.ts";
import { openGlassScene } from "../glass/glass-scene.ts";

const own = ownSystem();
const CHANGES_PER_LABEL = 10;
/** Ten minutes; each round changes a tenth of the labels. */
const ROUNDS = 100;
const ROUND_MS = 6_000;

test("a label server that was unreachable for ten minutes receives at most one transmission for each label, with the newest picture", async (t) => {
  // A tenth of the labels changes at a time.
  const many = runsToTry(t, 30, 100, "labels");
  const scene = await openGlassScene(own, "t/demo/s/away");
  const pass = (milliseconds: number) => {
    scene.clock.now = new Date(scene.clock.now.getTime() + milliseconds);
  };
  const settle = async () => {
    for (let round = 0; round < 30; round += 1) {
      await scene.round();
      await scene.report(scene.waiting.splice(0));
      pass(1_000);
    }
  };
  const receivedBy = (key: string) => scene.emulator().get(idOf(key))?.pages.get(0)?.received;
  try {
    for (let change = 0; change <= CHANGES_PER_LABEL; change += 1) await scene.storePicture(`picture ${change}`);
    const keys = await Promise.all(Array.from({ length: many }, scene.hang));
    const want = (wanting: readonly string[], change: number) =>
      Promise.all(wanting.map((key) => scene.want(key, [{ page: 0, image: `picture ${change}` }])));
    await want(keys, 0);
    await settle();
    t.deepEqual(new Set(keys.map(receivedBy)), new Set([1]));

    scene.answers.push(...Array<"hangs up">(100_000).fill("hangs up"));
    let changes = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const changing = keys.filter((_, index) => index % CHANGES_PER_LABEL === round % CHANGES_PER_LABEL);
      await want(changing, 1 + Math.floor(round / CHANGES_PER_LABEL));
      changes += changing.length;
      await scene.round();
      pass(ROUND_MS);
    }
    t.is(changes, many * CHANGES_PER_LABEL);
    t.deepEqual(new Set(keys.map(receivedBy)), new Set([1]), "while the label server was unreachable");

    scene.answers.length = 0;
    await settle();
    t.deepEqual(new Set(keys.map(receivedBy)), new Set([2]));
    for (const key of keys) t.deepEqual(scene.glassOf(key), [{ page: 0, image: `picture ${CHANGES_PER_LABEL}` }]);
    t.deepEqual(scene.errors, []);
  } finally {
    await scene.close();
  }
});
