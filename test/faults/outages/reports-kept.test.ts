import test from "ava";
import { labelStates } from "../../../records/kinds/labels.ts";
import { labelKey } from "../../../schemas/keys.ts";
import { newLabelState } from "../../../schemas/label-state.ts";
import { startRedis } from "../../../scripts/start/servers.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, labelFor, labelOutcomes } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { LABEL_SERVER_SECRET } from "../../harness/served.ts";

const shelfwire = ownStack({ workers: ["link"] });

const post = (reports: object[]) =>
  fetch(`${shelfwire.origin}/label-server/v1/reports`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${LABEL_SERVER_SECRET}` },
    body: JSON.stringify({ reports }),
  });

test.serial(
  "a report that was answered with 204 is applied, even if Redis is flushed before the transmitter reads it",
  async (t) => {
    const { client, system } = shelfwire;
    const barcode = labelFor("acknowledged");
    const key = labelKey(DEMO_STORE, barcode);
    await labelOutcomes(shelfwire, await client.patchLabels([{ barcode }]));
    const send = { number: 7, page: 0, image: "a" };
    const sending = {
      ...newLabelState(),
      wanted: [{ page: 0, image: "a" }],
      sending: send,
      sent: [send],
      transmissions: 7,
    };
    await system.commit.change(labelStates, [key], () => sending, "bulk");

    const report = { store: DEMO_STORE, barcode, kind: "acknowledged", at: new Date().toISOString(), transmission: 7 };
    t.is((await post([report])).status, 204);
    await system.redis.flushall();
    await shelfwire.openWorker("transmitter");
    const state = await eventually("the acknowledgement is applied", async () => {
      const present = (await system.records.read(labelStates, [key])).get(key);
      return present?.sending === undefined && present;
    });
    t.like(state, { shown: [{ page: 0, image: "a" }] });
    await eventually(
      "applied reports are removed",
      async () => (await system.db.collection("report").countDocuments()) === 0,
    );
  },
);

test.serial("reports are accepted during a Redis outage", async (t) => {
  const { databases } = shelfwire;
  const barcode = labelFor("reported without Redis");
  await databases.redis.kill();
  const report = { store: DEMO_STORE, barcode, kind: "check-in", at: new Date().toISOString() };
  t.is((await post([report])).status, 204);
  databases.redis = await startRedis(Number(new URL(databases.redis.url).port));
});
