import test from "ava";
import { labelStates } from "../../../../records/kinds/labels.ts";
import { newLabelState } from "../../../../schemas/label-state.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownSystem } from "../../../harness/own.ts";
import { transmitScene, wanting } from "../scene.ts";
import { at } from "../states.ts";
import { manyServers } from "./many-servers.ts";

const own = ownSystem();
const SERVERS = 40;
const HANGING = 4;
const LABELS = 30;
const CONCURRENCY = 4;

test("while four of forty label servers hang, the others receive all their pictures, round after round", async (t) => {
  const { labelServers, hanging, others, labelsOf, release } = await manyServers(SERVERS, HANGING);
  const { storePicture, sendDue, clock, close } = transmitScene(own, {
    servers: labelServers,
    concurrency: CONCURRENCY,
  });
  const { commit, records } = own.system;
  const want = async (image: string) => {
    await storePicture(image);
    const keys = [...hanging, ...others].flatMap(({ store }) => labelsOf(store, LABELS));
    const state = { ...wanting(image), sendDue: clock.now };
    await commit.change(labelStates, keys, (_, current) => ({ ...newLabelState(), ...current, ...state }), "bulk");
  };
  for (const [round, image] of ["a", "b", "c"].entries()) {
    clock.now = at(60 * round);
    await want(image);
    await sendDue();
    await eventually(`the others have picture ${image}`, async () =>
      others.every(({ server }) => server.pages.length === LABELS * (round + 1)),
    );
  }
  t.deepEqual(
    hanging.map(({ server }) => server.pages.length),
    hanging.map(() => CONCURRENCY),
    "a hanging label server has as many calls as may run concurrently",
  );
  const states = await records.read(
    labelStates,
    hanging.flatMap(({ store }) => labelsOf(store, LABELS)),
  );
  const begun = [...states.values()].filter(({ sending }) => sending !== undefined);
  t.true(begun.length <= HANGING * 4 * CONCURRENCY, `${begun.length} calls have begun`);
  release();
  await close();
});
