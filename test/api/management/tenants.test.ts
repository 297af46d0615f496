import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf, pointersOf, refused, writeItems, writeLabels } from "../calls.ts";
import { operate } from "./calls.ts";

const shelfwire = servedStack({ workers: ["item", "link"] });
const call = (method: string, path: string, body?: unknown, headers = {}) =>
  operate(shelfwire, method, path, body, headers);
const TENANTS = "/api/platform/v1/tenants";
const store = { name: "Harbour", timeZone: "Europe/Zagreb", currency: "EUR", locale: "hr-HR", linkDepartments: [] };

test.serial("a tenant is created, listed, changed with If-Match, and removed with its data", async (t) => {
  const made = await call("PUT", `${TENANTS}/coop`, { name: "Co-op" }, { "if-none-match": "*" });
  t.deepEqual(await bodyOf(made), { tenantId: "coop", name: "Co-op" });
  const tag = (await call("GET", `${TENANTS}/coop`)).headers.get("etag") ?? "";
  t.is(made.headers.get("etag"), tag);
  t.is((await call("PUT", `${TENANTS}/coop`, { name: "Co-operative" }, { "if-match": tag })).status, 200);
  await refused(t, await call("PUT", `${TENANTS}/coop`, { name: "Lost" }, { "if-match": tag }), 412);
  await refused(t, await call("DELETE", `${TENANTS}/coop`, undefined, { "if-match": tag }), 412);
  const listed = await bodyOf<{ tenantId: string }[]>(await call("GET", TENANTS));
  t.deepEqual(listed.filter(({ tenantId }) => tenantId === "coop") as unknown, [
    { tenantId: "coop", name: "Co-operative" },
  ]);

  const typePath = "/t/coop/api/management/v1/label-types/7";
  const type = { width: 8, height: 8, colors: ["white", "black"], display: "matrix", flash: false, pages: 1 };
  t.is((await call("PUT", typePath, type)).status, 200);
  t.is((await call("DELETE", `${TENANTS}/coop`)).status, 204);
  await refused(t, await call("GET", `${TENANTS}/coop`), 404);
  t.is((await refused(t, await call("GET", typePath), 404)).type, "/problems/unknown-tenant");
  t.is((await call("PUT", `${TENANTS}/coop`, { name: "Another" })).status, 200);
  await refused(t, await call("GET", typePath), 404);
});

test.serial("a tenant can be removed only after its stores", async (t) => {
  t.is((await call("PUT", `${TENANTS}/chain`, { name: "Chain" })).status, 200);
  t.is((await call("PUT", "/t/chain/api/management/v1/stores/one", store)).status, 200);
  const { detail, type } = await refused(t, await call("DELETE", `${TENANTS}/chain`), 409);
  t.is(type, "/problems/conflict");
  t.regex(detail, /"chain" has 1 stores/);
  t.is((await call("DELETE", "/t/chain/api/management/v1/stores/one")).status, 204);
  t.is((await call("DELETE", `${TENANTS}/chain`)).status, 204);
  await refused(t, await call("DELETE", `${TENANTS}/chain`), 404);
});

test.serial("renaming a tenant keeps its active rules", async (t) => {
  const active = async () => {
    const token = await shelfwire.token();
    const answer = await fetch(`${shelfwire.origin}/t/demo/api/management/v1/communication-packs`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return (await bodyOf<{ active: boolean }[]>(answer)).filter((pack) => pack.active);
  };
  const before = await active();
  t.is(before.length, 1);
  t.is((await call("PUT", `${TENANTS}/demo`, { name: "Renamed" })).status, 200);
  t.deepEqual(await active(), before);
});

test.serial("a tenant with a bad ID or without a name is refused", async (t) => {
  t.deepEqual(pointersOf(await refused(t, await call("PUT", `${TENANTS}/no.dots`, { name: "x" }), 400)), [
    "/path/tenantId",
  ]);
  t.deepEqual(pointersOf(await refused(t, await call("PUT", `${TENANTS}/empty`, { name: "" }), 400)), ["/name"]);
  await refused(t, await call("GET", `${TENANTS}/empty`), 404);
});

const scheme = { pattern: "^ESL-(?<type>[0-9]{4})-[0-9]{6}$", checkDigit: "none" };

test.serial("a tenant's barcode scheme applies to its own barcodes, and the default to others", async (t) => {
  t.is((await call("PUT", `${TENANTS}/own`, { name: "Own", barcodeScheme: scheme })).status, 200);
  t.deepEqual((await bodyOf<object>(await call("GET", `${TENANTS}/own`))) as object, {
    tenantId: "own",
    name: "Own",
    barcodeScheme: scheme,
  });
  const type = { width: 8, height: 8, colors: ["white", "black"], display: "matrix", flash: false, pages: 1 };
  t.is((await call("PUT", "/t/own/api/management/v1/label-types/1328", type)).status, 200);
  t.is(
    (await call("PUT", "/t/own/api/management/v1/models/Medium", { labelTypes: [1328], linkPositions: 1 })).status,
    200,
  );
  t.is((await call("PUT", "/t/own/api/management/v1/stores/one", store)).status, 200);
  const modelsOf = async (tenant: string, storeId: string, barcode: string) => {
    const authorization = `Bearer ${await shelfwire.token({ tenant })}`;
    const path = `/t/${tenant}/s/${storeId}/api/public/core/v1/labels/models/${barcode}`;
    const answer = await fetch(`${shelfwire.origin}${path}`, { headers: { authorization } });
    return (await bodyOf<{ models: { name: string }[] }>(answer)).models.map(({ name }) => name);
  };
  t.deepEqual(await modelsOf("own", "one", "ESL-1328-000001"), ["Medium"]);
  t.deepEqual(await modelsOf("own", "one", labelFor("default")), []);
  t.deepEqual(await modelsOf("demo", "main", labelFor("default")), ["Medium"]);
  t.deepEqual(await modelsOf("demo", "main", "ESL-1328-000001"), []);
  // As docs/operations/set-up-tenants.md recommends: only digits, as in a label type.
  const digits = { pattern: "^(?<type>[0-9]{4})[0-9]{8}(?<check>[0-9])$", checkDigit: "gs1" };
  t.is((await call("PUT", `${TENANTS}/own`, { name: "Own", barcodeScheme: digits })).status, 200);
  await eventually(
    "the scheme is read again",
    async () => (await modelsOf("own", "one", "1328000000011")).length === 1,
  );
  t.deepEqual(await modelsOf("own", "one", "1328"), ["Medium"]);
  t.deepEqual(await modelsOf("own", "one", "1328000000012"), [], "its check digit is wrong");
});

test.serial("a barcode scheme that would read existing labels differently is refused", async (t) => {
  await writeItems(shelfwire, [{ itemId: "1", itemName: "One" }]);
  const barcode = labelFor("one");
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "1", displayPosition: 0 }] }]);
  const put = (barcodeScheme: object) => call("PUT", `${TENANTS}/demo`, { name: "Demo", barcodeScheme });
  t.true((await refused(t, await put(scheme), 409)).detail.includes(barcode));
  t.is((await put({ pattern: "^[A-Z]4[0-9A-Z]{10}(?<type>[0-9]{4})[0-9]$", checkDigit: "none" })).status, 200);
});

test.serial("an invalid barcode scheme is refused with the path of the fault", async (t) => {
  const put = async (differs: object) => {
    const body = { name: "x", barcodeScheme: { ...scheme, ...differs } };
    return pointersOf(await refused(t, await call("PUT", `${TENANTS}/faulty`, body), 400));
  };
  t.deepEqual(await put({ pattern: "^(a+)+(?<type>[0-9])$" }), ["/barcodeScheme/pattern"]);
  t.deepEqual(await put({ checkDigit: "luhn" }), ["/barcodeScheme/checkDigit"]);
});
