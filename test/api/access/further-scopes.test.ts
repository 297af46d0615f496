import test from "ava";
import type { TokenOrder } from "../../../api/access/sign-token.ts";
import { scopes } from "../../../schemas/token.ts";
import { labelFor, labelOutcomes } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { bodyOf, numberOf, openStore, refused, writeItems } from "../calls.ts";
import { manage } from "../management/calls.ts";

const shelfwire = ownStack({ workers: ["item", "link"] });
test.before(async () => {
  const branch = await openStore(shelfwire, "branch");
  for (const store of [shelfwire, branch]) await writeItems(store, [{ itemId: "apple", price: "1.99" }]);
});

const tokenOf = async (order: Partial<TokenOrder>) => ({ authorization: `Bearer ${await shelfwire.token(order)}` });
const without = (scope: string) => tokenOf({ scope: scopes.filter((one) => one !== scope).join(" ") });

for (const [method, path, row] of [
  ["PATCH", "/items", (links: object[]) => [{ itemId: "plum" }, { itemId: "apple", links }]],
  ["PATCH", "/items/apple", (links: object[]) => ({ links })],
] as const) {
  test(`${method} ${path} with links also requires labels:write, so items:write alone cannot relink a label`, async (t) => {
    const links = [{ barcode: labelFor("apple") }];
    const answer = await shelfwire.call(method, path, row(links), await without("labels:write"));
    t.is((await refused(t, answer, 403)).type, "/problems/insufficient-scope");
    t.regex(answer.headers.get("www-authenticate") ?? "", /scope="labels:write"/);
    t.is((await shelfwire.call(method, path, row([]), await without("labels:write"))).status, 202);
    t.is((await shelfwire.call(method, path, row(links), await without("labels:read"))).status, 202);
  });
}

const canvas = {
  name: "preview",
  width: 296,
  height: 128,
  background: "white",
  elements: [
    {
      kind: "price",
      x: 5,
      y: 40,
      width: 280,
      height: 60,
      size: 50,
      font: "bold",
      color: "black",
      value: "${item.price}",
    },
  ],
};
const stored = { storeId: "main", itemId: "apple", labelType: 1328 };
const given = { storeId: "main", item: { itemId: "apple", price: "1.99" }, labelType: 1328 };
for (const [path, body] of [
  ["/communication-packs/shelf-prices/evaluate", {}],
  ["/communication-packs/evaluate", { pack: { name: "Trial", scenarios: [] } }],
  ["/designs/preview", { canvas }],
] as const) {
  test(`POST ${path} reads the values of stored items only with items:read`, async (t) => {
    const headers = await without("items:read");
    const answer = await manage(shelfwire, "POST", path, { ...body, ...stored }, headers);
    t.is((await refused(t, answer, 403)).type, "/problems/insufficient-scope");
    t.not((await manage(shelfwire, "POST", path, { ...body, ...given }, headers)).status, 403);
    t.not((await manage(shelfwire, "POST", path, { ...body, ...stored })).status, 403);
  });
}

test("a token for one store does not see rows of other stores in a bulk result", async (t) => {
  const order = { storeIds: ["main", "branch"], itemIds: ["apple"], operation: "UNLINK" };
  const requestId = await numberOf(await shelfwire.call("POST", "/links/bulk", order));
  await labelOutcomes(shelfwire, requestId);
  const storesWith = async (stores: "*" | string[], path: string) => {
    const answer = await shelfwire.call("GET", `/${path}/${requestId}`, undefined, await tokenOf({ stores }));
    return (await bodyOf<{ results: { storeId: string }[] }>(answer)).results.map(({ storeId }) => storeId);
  };
  for (const path of ["links-result", "labels-result"]) {
    t.deepEqual(await storesWith("*", path), ["main", "branch"]);
    t.deepEqual(await storesWith(["main", "branch"], path), ["main", "branch"]);
    t.deepEqual(await storesWith(["main"], path), ["main"]);
  }
});
