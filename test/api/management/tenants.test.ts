import test from "ava";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf, pointersOf, refused } from "../calls.ts";
import { operate } from "./calls.ts";

const shelfwire = servedStack({ workers: [] });
const call = (method: string, path: string, body?: unknown, headers = {}) =>
  operate(shelfwire, method, path, body, headers);
const TENANTS = "/api/platform/v1/tenants";
const store = { name: "Harbour", timeZone: "Europe/Zagreb", currency: "EUR", locale: "hr-HR", linkDepartments: [] };

test.serial("a tenant is made, listed, changed under its tag, and removed with what it has", async (t) => {
  const made = await call("PUT", `${TENANTS}/coop`, { name: "Co-op", unknown: 1 }, { "if-none-match": "*" });
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

test.serial("a tenant with stores is not removed; without them it is", async (t) => {
  t.is((await call("PUT", `${TENANTS}/chain`, { name: "Chain" })).status, 200);
  t.is((await call("PUT", "/t/chain/api/management/v1/stores/one", store)).status, 200);
  const { detail, type } = await refused(t, await call("DELETE", `${TENANTS}/chain`), 409);
  t.is(type, "/problems/conflict");
  t.regex(detail, /"chain" has 1 stores/);
  t.is((await call("DELETE", "/t/chain/api/management/v1/stores/one")).status, 204);
  t.is((await call("DELETE", `${TENANTS}/chain`)).status, 204);
  await refused(t, await call("DELETE", `${TENANTS}/chain`), 404);
});

test.serial("a change of a tenant's name leaves its active rules as they are", async (t) => {
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

test.serial("a tenant with a bad id or without a name is refused", async (t) => {
  t.deepEqual(pointersOf(await refused(t, await call("PUT", `${TENANTS}/no.dots`, { name: "x" }), 400)), [
    "/path/tenantId",
  ]);
  t.deepEqual(pointersOf(await refused(t, await call("PUT", `${TENANTS}/empty`, { name: "" }), 400)), ["/name"]);
  await refused(t, await call("GET", `${TENANTS}/empty`), 404);
});
