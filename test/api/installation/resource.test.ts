import test from "ava";
import type { ProblemError } from "../../../api/http/problem-error.ts";
import { labelServerResource } from "../../../api/installation/label-servers.ts";
import { labelTypeResource } from "../../../api/installation/label-types.ts";
import { storeResource } from "../../../api/installation/stores.ts";
import { tenantResource } from "../../../api/installation/tenants.ts";
import { labelServers, tenants } from "../../../records/kinds/tenants.ts";
import { labelServerKey } from "../../../schemas/keys.ts";
import { LabelTypeOrder } from "../../../schemas/label-type.ts";
import { Store } from "../../../schemas/store.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();
const PATTERN = "^(?<type>[0-9]{4})[0-9]$";
const refusal = async (call: Promise<unknown>): Promise<ProblemError> =>
  call.then(
    () => {
      throw new Error("the order was not refused");
    },
    (error) => error as ProblemError,
  );
const colors = ["white" as const, "black" as const];
const type = { width: 8, height: 8, colors, display: "matrix" as const, flash: false, pages: 1 };

test("a resource itself checks an order's schema and ID, whatever its caller checks, and a failed check writes nothing", async (t) => {
  const types = labelTypeResource(own.system);
  for (const [id, order, pointer] of [
    ["7", { ...type, pages: 0 }, "/pages"],
    ["x", type, ""],
  ] as const) {
    const { problem, extra } = await refusal(types.put("t/a", id, order));
    t.is(problem, "invalid-request");
    t.is(extra.errors?.[0]?.pointer, pointer);
  }
  t.deepEqual(await types.all("t/a"), []);
});

test("a check reports what a write would report, and writes nothing", async (t) => {
  const stores = storeResource(own.system);
  const order = { name: "x", timeZone: "Nowhere/At_all", currency: "EUR", locale: "hr-HR", linkDepartments: [] };
  t.is((await refusal(stores.check("t/b", "one", order))).problem, "invalid-request");
  await stores.check("t/b", "one", { ...order, timeZone: "Europe/Zagreb" });
  t.is(await stores.find("t/b", "one"), undefined);
});

test("a label server keeps its driver until another is set, and uses the HTTP protocol if none was ever set", async (t) => {
  const servers = labelServerResource(own.system);
  const url = "http://a.example";
  t.false("driver" in (await servers.put("t/driver", "one", { url })));
  await servers.put("t/driver", "one", { url, driver: "http" });
  await servers.put("t/driver", "one", { url: "http://b.example" });
  await servers.put("t/driver", "one", { url, secret: "a-secret-of-16-characters" });
  const key = labelServerKey("t/driver", "one");
  t.like((await own.system.records.read(labelServers, [key])).get(key), { url, driver: "http" });
});

test("fields outside the order's schema are dropped", async (t) => {
  const servers = labelServerResource(own.system);
  const order = { url: "http://a.example", more: 1 };
  await servers.put("t/c", "one", order);
  const key = labelServerKey("t/c", "one");
  const record = (await own.system.records.read(labelServers, [key])).get(key);
  t.deepEqual(Object.keys(record ?? {}).sort(), ["_id", "changedAt", "rev", "secret", "store", "url", "writeId"]);
});

test("if another writer changes a record during its removal, the removal reads it again", async (t) => {
  const servers = labelServerResource(own.system);
  await servers.put("t/d", "one", { url: "http://a.example" });
  const seen: (string | undefined)[] = [];
  let changing: Promise<unknown> | undefined;
  const records: typeof own.system.records = {
    ...own.system.records,
    async remove(kind, revs) {
      changing ??= servers.put("t/d", "one", { url: "http://b.example" });
      await changing;
      return own.system.records.remove(kind, revs);
    },
  };
  await labelServerResource({ ...own.system, records }).remove("t/d", "one", (shown) => void seen.push(shown?.url));
  t.deepEqual(seen, ["http://a.example", "http://b.example"]);
  t.is(await servers.find("t/d", "one"), undefined);
});

test("changing the name of a tenant whose removal was ordered does not cancel the removal", async (t) => {
  const resource = tenantResource(own.system, PATTERN);
  const removal = { since: new Date(0), due: new Date(1) };
  await resource.put("", "leaving", { name: "Leaving" });
  const key = "t/leaving";
  await own.system.commit.change(tenants, [key], (_, current) => current && { ...current, removal }, "interactive");
  await resource.put("", "leaving", { name: "Left" });
  t.like((await own.system.records.read(tenants, [key])).get(key), { name: "Left", removal });
});

test("a response has every field of its order, so that a caller can read it, change it and put it back", async (t) => {
  const wholeType = {
    ...type,
    ...{ dpi: 112, button: true, images: 2, hardwareType: "33", fullRefreshAfter: 20, batteryRefreshes: 10_000 },
  };
  t.deepEqual(Object.keys(wholeType).toSorted(), Object.keys(LabelTypeOrder.properties).toSorted());
  const types = labelTypeResource(own.system);
  t.deepEqual(await types.put("t/whole", "7", wholeType), { type: 7, ...wholeType });
  await labelServerResource(own.system).put("t/whole", "one", { url: "http://a.example" });
  const wholeStore = {
    ...{ name: "Main street", timeZone: "Europe/Zagreb", currency: "EUR", locale: "hr-HR", linkDepartments: [] },
    ...{ labelServer: "one", quietHours: { from: "22:00", to: "06:00" }, country: "HR" },
    ...{ priorPrice: { newGoodsDays: 14 }, parameters: { ITEM_MUST_EXIST: false } },
  };
  t.deepEqual(Object.keys(wholeStore).toSorted(), Object.keys(Store.properties).toSorted());
  t.deepEqual(await storeResource(own.system).put("t/whole", "main", wholeStore), { storeId: "main", ...wholeStore });
});

test("the response to a change has the same text as a later response, so both have the same entity tag", async (t) => {
  const stores = storeResource(own.system);
  const order = { name: "x", timeZone: "Europe/Zagreb", currency: "EUR", locale: "hr-HR", linkDepartments: [] };
  await stores.put("t/tag", "main", order);
  const changed = await stores.put("t/tag", "main", {
    country: "HR",
    ...order,
    parameters: { ITEM_MUST_EXIST: false },
  });
  t.is(JSON.stringify(await stores.find("t/tag", "main")), JSON.stringify(changed));
});
