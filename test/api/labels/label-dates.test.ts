import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import type { Served } from "../../harness/served.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { openStore, readLabel, writeLabels } from "../calls.ts";

const shelfwire = servedStack({ workers: ["link", "transmitter"] });

/** Creates a label that checks in at this time; returns its batteryStateLastConfirmed in both forms. */
async function confirmedAt(store: Served, storeId: string, at: string) {
  const barcode = labelFor(`${storeId} ${at}`);
  await writeLabels(store, [{ barcode }]);
  const report = { store: `t/demo/s/${storeId}`, barcode, kind: "check-in", at, battery: "OK" };
  await fetch(`${store.origin}/label-server/v1/reports`, {
    method: "POST",
    headers: { authorization: "Bearer a secret for label servers", "content-type": "application/json" },
    body: JSON.stringify({ reports: [report] }),
  });
  const read = async (query: string) => (await readLabel(store, barcode, query)).batteryStateLastConfirmed;
  const plain = await eventually("the battery is confirmed", async () => (await read("")) ?? undefined);
  return {
    plain,
    explicit: await read("?serializeDatesToIso8601=false"),
    iso: await read("?serializeDatesToIso8601=true"),
  };
}

test("dates are YYYY-MM-DD hh:mm:ss in the store's zone, in summer and in winter", async (t) => {
  const winter = await confirmedAt(shelfwire, "main", "2026-01-15T10:20:30.456Z");
  const summer = await confirmedAt(shelfwire, "main", "2026-07-15T10:20:30.456Z");
  t.deepEqual([winter.plain, summer.plain], ["2026-01-15 11:20:30", "2026-07-15 12:20:30"]);
  t.deepEqual([winter.explicit, summer.explicit], [winter.plain, summer.plain]);
});

test("with serializeDatesToIso8601 dates have milliseconds and the store's offset", async (t) => {
  const winter = await confirmedAt(shelfwire, "main", "2026-01-15T23:20:30.456Z");
  const summer = await confirmedAt(shelfwire, "main", "2026-07-15T23:20:30.000Z");
  t.deepEqual([winter.iso, summer.iso], ["2026-01-16T00:20:30.456+01:00", "2026-07-16T01:20:30.000+02:00"]);
});

test("UTC is written as +00:00", async (t) => {
  const store = await openStore(shelfwire, "greenwich", { timeZone: "UTC" });
  const { plain, iso } = await confirmedAt(store, "greenwich", "2026-07-15T10:20:30.456Z");
  t.deepEqual([plain, iso], ["2026-07-15 10:20:30", "2026-07-15T10:20:30.456+00:00"]);
});

test("an offset may be negative or include minutes", async (t) => {
  const store = await openStore(shelfwire, "st-johns", { timeZone: "America/St_Johns" });
  const { plain, iso } = await confirmedAt(store, "st-johns", "2026-01-15T02:20:30.456Z");
  t.deepEqual([plain, iso], ["2026-01-14 22:50:30", "2026-01-14T22:50:30.456-03:30"]);
});
