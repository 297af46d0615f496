import test from "ava";
import { ProblemError } from "../../../api/http/problem-error.ts";
import { apiUserResource } from "../../../api/installation/api-users.ts";
import { createInvitations } from "../../../api/installation/invitations.ts";
import { stores } from "../../../records/kinds/tenants.ts";
import { openRevocations } from "../../../records/revocations.ts";
import { storeKey, tenantKey } from "../../../schemas/keys.ts";
import { ownSystem } from "../../harness/own.ts";
import { PATIENT_MS } from "../../harness/patience.ts";

const own = ownSystem();
const aStore = {
  ...{ name: "Main", timeZone: "Europe/Zagreb", currency: "EUR", locale: "hr-HR" },
  linkDepartments: [],
};
const order = { stores: "*" as const, role: "head-office" as const };

test("an invitation does not take over a user whose name another tenant takes at the same moment", async (t) => {
  const { records, commit } = own.system;
  const users = apiUserResource({ records, commit });
  const change: typeof commit.change = async (...call) => {
    await users.put(tenantKey("other"), "ana", {
      stores: "*",
      role: "linker",
      password: "a password of another tenant",
    });
    return commit.change(...call);
  };
  const invitations = createInvitations({ records, commit: { ...commit, change } }, () => new Date());
  const invite = invitations.invite(tenantKey("demo"), "ana", order, "office", () => {});
  const error = await t.throwsAsync(invite, { instanceOf: ProblemError });
  t.is(error?.problem, "conflict");
  t.is((await users.one(tenantKey("other"), "ana")).role, "linker");
});

test("choosing a password on invitation invalidates the user's earlier tokens, but not later ones", async (t) => {
  const { records, commit } = own.system;
  await apiUserResource({ records, commit }).put(tenantKey("demo"), "eva", {
    ...order,
    password: "the former password",
  });
  const now = new Date();
  const invitations = createInvitations({ records, commit }, () => now);
  const { path } = await invitations.invite(tenantKey("demo"), "eva", order, "office", () => {});
  const isRevoked = (issuedAt: number) =>
    openRevocations(records, Date.now, PATIENT_MS)({ tenant: "demo", subject: "eva", issuedAt });
  const second = Math.floor(now.getTime() / 1000);
  t.false(await isRevoked(second - 1), "the former password is valid until a new one is chosen");
  await invitations.accept(path?.split("=")[1] ?? "", "a password of eva's own");
  t.deepEqual([await isRevoked(second - 1), await isRevoked(second)], [true, false]);
});

for (const [change, more, isKept] of [
  ["more stores", { stores: "*", role: "shop" }, false],
  ["a wider role", { stores: ["main"], role: "manager" }, false],
  ["a narrower role", { stores: ["main"], role: "linker" }, true],
] as const)
  test(`an invitation is invalid if its user has been given more permissions since, and valid if fewer: ${change}`, async (t) => {
    const { records, commit } = own.system;
    const users = apiUserResource({ records, commit });
    await commit.change(stores, [storeKey("demo", "main")], () => aStore, "bulk");
    const invitations = createInvitations({ records, commit }, () => new Date());
    const name = `riser-${change.replaceAll(" ", "-")}`;
    const rights = { stores: ["main"], role: "shop" as const };
    const { path } = await invitations.invite(tenantKey("demo"), name, rights, "regional", () => {});
    await users.put(tenantKey("demo"), name, { ...more, stores: more.stores === "*" ? "*" : [...more.stores] });
    const accepted = await invitations.accept(path?.split("=")[1] ?? "", "a password of the regional office");
    t.is(accepted !== undefined, isKept);
  });
