import test from "ava";
import { mapClaims } from "../../../domain/access/map-claims.ts";
import { faultOfRoles, roleMap } from "../../../schemas/role-map.ts";

const mapping = {
  user: "sub",
  tenant: { id: "demo" },
  stores: "stores",
  roles: "realm.roles",
  roleOf: roleMap("esl shop=shop, esl=head-office, a=b=manager, tills=till, admins=operator"),
};
const claims = (roles: unknown, more: object = {}) => ({ sub: "ana", stores: ["main"], realm: { roles }, ...more });

for (const [what, given, role] of [
  ["a list", ["x", "esl"], "head-office"],
  ["a string", "esl", "head-office"],
  ["a string with spaces, which counts as one value", "esl shop", "shop"],
  ["a value that contains =", ["a=b"], "manager"],
  ["several values: the one with the most rights counts", ["tills", "esl shop", "a=b"], "manager"],
] as const)
  test(`roles may be ${what}`, (t) => {
    t.like(mapClaims(claims(given), mapping), { subject: "ana", claims: { tenant: "demo", stores: ["main"], role } });
  });

for (const [what, given, fault] of [
  ["no role", claims([]), "noRole"],
  ["a role of another mapping", claims(["head-office"]), "noRole"],
  ["a string in which only one word is a role", claims("Deputy admins"), "noRole"],
  ["roles that are not strings", claims([{ esl: true }, 1, null]), "noRole"],
  [
    "roles that are inherited from a prototype",
    { sub: "ana", stores: "*", realm: Object.create({ roles: ["esl"] }) },
    "noRole",
  ],
  ["no stores", claims(["esl"], { stores: undefined }), "noStores"],
  ["stores that are not valid IDs", claims(["esl"], { stores: ["a/b", ""] }), "noStores"],
  ["no name", claims(["esl"], { sub: "" }), "noUser"],
  ["a name that is not a string", claims(["esl"], { sub: 1 }), "noUser"],
] as const)
  test(`claims with ${what} give no access`, (t) => t.is(mapClaims(given, mapping), fault));

test("an address that the provider has not verified identifies nobody", (t) => {
  const of = (verified: unknown) =>
    mapClaims(claims(["esl"], { email: "ana@shop.example", email_verified: verified }), { ...mapping, user: "email" });
  t.is(of(false), "noUser");
  for (const verified of [true, undefined]) t.like(of(verified), { subject: "ana@shop.example" });
});

test("stores may be a list, a string, or all; a string in braces is not followed as a path", (t) => {
  for (const [stores, read] of [
    [
      ["a", "b"],
      ["a", "b"],
    ],
    ["a, b", ["a", "b"]],
    ["*", "*"],
    [["*", "a"], "*"],
  ])
    t.like(mapClaims(claims(["esl"], { stores }), mapping), { claims: { stores: read } });
});

test("the tenant is fixed or a claim that must be an ID, and without either nobody is admitted", (t) => {
  const of = (tenant: Parameters<typeof mapClaims>[1]["tenant"], more: object) =>
    mapClaims(claims(["esl"], more), { ...mapping, tenant });
  t.like(of({ claim: "org" }, { org: "demo" }), { claims: { tenant: "demo" } });
  for (const org of ["../x", "", ["demo"], undefined]) t.is(of({ claim: "org" }, { org }), "noTenant");
  t.is(of(undefined, {}), "noTenant");
});

test("an operator has no tenant, and only the role mapping makes a user an operator", (t) => {
  t.deepEqual(mapClaims(claims(["admins"]), mapping), { subject: "ana", claims: { scope: "platform" } });
  const unmapped = { ...mapping, roleOf: roleMap(undefined) };
  t.is(mapClaims(claims(["operator"]), unmapped), "noRole");
  t.like(mapClaims(claims(["manager"]), unmapped), { claims: { role: "manager" } });
});

test("an invalid role mapping is refused, and its faulty part is named", (t) => {
  t.is(faultOfRoles("a=shop,b=king"), "b=king");
  t.is(faultOfRoles("=shop"), "=shop");
  t.is(faultOfRoles("shop"), "=shop");
  t.is(faultOfRoles("a=shop,b c=operator"), undefined);
});
