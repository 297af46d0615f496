import test from "ava";
import type { Permit } from "../../../api/access/verify-token.ts";
import { createStoresOf } from "../../../api/pages/stores-of.ts";
import { ownSystem } from "../../harness/own.ts";
import { partOf } from "../../harness/part-of.ts";

const own = ownSystem();
const permit = (differs: Partial<Permit>) =>
  partOf<Permit>({ tenant: "gone", stores: "*", scopes: new Set(["labels:read"]), ...differs });

test("a session for all stores of a tenant that does not exist is refused; it does not get an empty list", async (t) => {
  const error = await t.throwsAsync(createStoresOf(own.system.records)(permit({})), { name: "ProblemError" });
  t.is(error?.message, 'The tenant "gone" does not exist.');
});

test("a session for named stores lists them even if they do not exist, and the operator's session lists none", async (t) => {
  const storesOf = createStoresOf(own.system.records);
  t.deepEqual(await storesOf(permit({ stores: new Set(["b", "a"]) })), [
    { id: "a", name: "a" },
    { id: "b", name: "b" },
  ]);
  t.deepEqual(await storesOf(permit({ tenant: "", scopes: new Set(["platform"]) })), []);
});
