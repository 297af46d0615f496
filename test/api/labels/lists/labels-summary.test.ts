import test from "ava";
import { storeKey } from "../../../../schemas/keys.ts";
import { BatteryState, PlState } from "../../../../schemas/label.ts";
import { TENANT_ID } from "../../../../scripts/demo/catalogue.ts";
import { hangLabels } from "../../../../scripts/demo/hang-labels.ts";
import { manyLabels } from "../../../../scripts/demo/many-labels.ts";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf, openStore, refused } from "../../calls.ts";

const many = manyLabels(1_050, new Date());

const shelfwire = ownStack({ workers: [] });

const countOf = <State extends string>(states: readonly State[], all: readonly State[]): Record<string, number> =>
  Object.fromEntries(states.map((state) => [state, all.filter((one) => one === state).length]));

test.serial("the summary counts the labels of a store, by plState and by batteryState", async (t) => {
  const store = await openStore(shelfwire, "counted");
  await hangLabels(shelfwire.system.records, storeKey(TENANT_ID, "counted"), many);
  const plState = countOf(
    PlState.enum,
    many.map(({ plState }) => plState),
  );
  const batteryState = countOf(
    BatteryState.enum,
    many.map(({ batteryState }) => batteryState),
  );
  t.true([plState, batteryState].flatMap((counts) => Object.values(counts)).every((count) => count > 0));
  t.deepEqual(await bodyOf(await store.call("GET", "/labels/summary")), { labels: many.length, plState, batteryState });
});

test.serial("a store without labels has a summary of zeros", async (t) => {
  const store = await openStore(shelfwire, "bare");
  t.deepEqual(await bodyOf(await store.call("GET", "/labels/summary")), {
    labels: 0,
    plState: { NEW: 0, PENDING: 0, OK: 0, ERROR: 0, OFFLINE: 0, UNKNOWN: 0 },
    batteryState: { UNKNOWN: 0, OK: 0, LOW: 0 },
  });
});

test.serial("a literal segment wins over a parameter: summary is not a barcode", async (t) => {
  await refused(t, await shelfwire.call("GET", "/labels/Summary"), 404);
  t.is((await shelfwire.call("GET", "/labels/summary?projection=XL")).status, 200);
});

test.serial("the summary requires labels:read", async (t) => {
  const token = await shelfwire.token({ scope: "items:read" });
  await refused(
    t,
    await shelfwire.call("GET", "/labels/summary", undefined, { authorization: `Bearer ${token}` }),
    403,
  );
});
