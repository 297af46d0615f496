import { isDeepStrictEqual } from "node:util";
import test from "ava";
import { processNames } from "../../../queues/topology.ts";
import { restored } from "../../../scripts/operate/admin/after-restore.ts";
import { auditStore, nothingBehind } from "../../harness/audits/audit.ts";
import { restoreBackup, takeBackup } from "../../harness/databases/backup.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, itemOutcomes, labelFor, labelOutcomes } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

// Short, so that pictures are soon sent again, because a picture in the air before the restore never arrives. Not so short that
// on a busy machine ten late reports make Shelfwire send to a label only rarely.
const shelfwire = ownStack({ workers: [], settings: { ACKNOWLEDGE_WITHIN: "8" } });
const workers: { close(): Promise<void> }[] = [];
const startWorkers = async () => void workers.push(...(await Promise.all(processNames.map(shelfwire.openWorker))));
const stopWorkers = () => Promise.all(workers.splice(0).map((worker) => worker.close()));

const barcodes = ["bread", "milk", "jam"].map((name) => labelFor(name));
const [bread = "", milk = "", jam = ""] = barcodes;
const price = async (itemId: string, value: string): Promise<number> => {
  const requestId = await shelfwire.client.patchItems([{ itemId, itemName: itemId, price: value }]);
  await itemOutcomes(shelfwire, requestId);
  return requestId;
};

/** Waits until a label's glass shows the picture that the API returns for it. */
const isRight = (barcode: string) =>
  eventually(`the glass of ${barcode} is right`, async () => {
    const image = await shelfwire.call("GET", `/labels/${barcode}/image`);
    const glass = await glassOf(shelfwire, barcode);
    return Buffer.from(await image.arrayBuffer()).equals(glass) && glass;
  });

test("after a restore every glass is correct, and the result of an undone request is never returned for another request", async (t) => {
  const { system, client, labelServer } = shelfwire;
  await startWorkers();
  for (const itemId of ["bread", "milk", "jam"]) await price(itemId, "1.00");
  const rows = ["bread", "milk", "jam"].map((itemId, index) => ({
    barcode: barcodes[index] ?? "",
    links: [{ itemId }],
  }));
  await labelOutcomes(shelfwire, await client.patchLabels(rows));
  const before = new Map(await Promise.all(barcodes.map(async (one) => [one, await isRight(one)] as const)));

  // The backup is taken in the middle of work: a picture of milk is in the air, and a request waits in the journal.
  labelServer.labels.set(milk, { airTimeMs: 3_600_000 });
  await price("milk", "2.00");
  await eventually("milk is in the air", async () => labelServer.labels.totals().inTheAir > 0);
  const backup = await takeBackup(system.db);
  labelServer.labels.set(milk, { airTimeMs: 0 });
  const undone = [await price("bread", "3.00"), await price("jam", "4.00"), await price("milk", "5.00")];
  for (const barcode of [bread, jam]) t.notDeepEqual(await isRight(barcode), before.get(barcode));

  await stopWorkers();
  await restoreBackup(system.db, backup);
  const options = { step: 1000, perSecond: 1000, noticeMs: 0, progress: () => () => {} };
  // Leases are excluded, since the API takes and renews them at any moment. The API may also write other data during one dry run;
  // a dry run that wrote would change the database every time.
  const stateOf = async () => new Map([...(await takeBackup(system.db))].filter(([name]) => name !== "lease"));
  const planned = await eventually("a dry run changes nothing", async () => {
    const restoredState = await stateOf();
    const { data } = await restored(system, { ...options, isDryRun: true });
    return isDeepStrictEqual(await stateOf(), restoredState) && data;
  });
  const { data, lines } = await restored(system, { ...options, isDryRun: false });
  t.log(lines.join("\n"));
  t.deepEqual([data.stores, data.labels], [planned.stores, planned.labels], "a dry run reports what the real run does");
  await startWorkers();

  for (const barcode of [bread, jam]) t.deepEqual(await isRight(barcode), before.get(barcode));
  await isRight(milk);
  for (const requestId of undone) t.is((await shelfwire.call("GET", `/items-result/${requestId}`)).status, 404);
  const next = await price("bread", "6.00");
  t.true(next > Math.max(...undone) + 900);
  t.notDeepEqual(await isRight(bread), before.get(bread));
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
});
