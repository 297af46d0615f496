import test from "ava";
import { designKey, tenantKey } from "../../../schemas/keys.ts";
import type { LinkRecord } from "../../../schemas/link-record.ts";
import type { Outcome } from "../../../schemas/request.ts";
import { STORE_ID, TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelFor, labelOutcomes } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { openShelfwire, type Shelfwire } from "../../harness/shelfwire.ts";
import {
  bodyOf,
  deleteItem,
  numberOf,
  openStore,
  pointersOf,
  readItem,
  readLabel,
  refused,
  writeItems,
  writeLabels,
  writeLinks,
} from "../calls.ts";

const design = (id: string) => designKey(tenantKey(TENANT_ID), id);
const DESIGN = "special-296x128";

const shelfwire = ownStack({ workers: ["item", "link"] });
let branch: Shelfwire;
let kiosk: Shelfwire;
test.before(async () => {
  [branch, kiosk] = [await openStore(shelfwire, "branch"), await openStore(shelfwire, "kiosk")];
  for (const store of [shelfwire, branch, kiosk]) await writeItems(store, [{ itemId: "apple" }, { itemId: "pear" }]);
});

const bulk = (body: object, store = shelfwire) => writeLinks(store, "POST", "/links/bulk", body);
const storeLevel = async (itemId: string, store = shelfwire) =>
  (await bodyOf<LinkRecord[]>(await store.call("GET", `/items/${itemId}/links`))).filter(({ eslId }) => eslId === null);
const designsOf = async (itemId: string, store = shelfwire) =>
  (await storeLevel(itemId, store)).map(({ designId }) => designId);
const row = (storeId: string, itemId: string): Outcome => ({ storeId, itemId, status: "SUCCESS", errors: [] });

test.serial("LINK creates a store-level link for every pair; rows are in order, store by store", async (t) => {
  const storeIds = ["kiosk", STORE_ID, "branch"];
  const itemIds = ["pear", "apple"];
  t.deepEqual(
    await bulk({ storeIds, itemIds, designId: DESIGN, operation: "LINK" }),
    storeIds.flatMap((storeId) => itemIds.map((itemId) => row(storeId, itemId))),
  );
  for (const store of [shelfwire, branch, kiosk]) t.deepEqual(await designsOf("apple", store), [design(DESIGN)]);
});

test.serial("a SIC among the IDs stands for its item in LINK and UNLINK; the row repeats the sent text", async (t) => {
  await writeItems(shelfwire, [{ itemId: "quince", sics: ["4009"] }]);
  const pairs = { storeIds: [STORE_ID], itemIds: ["4009", "quince", "4010"] };
  const [bySic, byId, unknown] = await bulk({ ...pairs, designId: DESIGN, operation: "LINK" });
  t.deepEqual([bySic, byId], [row(STORE_ID, "4009"), row(STORE_ID, "quince")]);
  t.is(unknown?.status, "ITEM_NOT_FOUND");
  t.deepEqual(await designsOf("quince"), [design(DESIGN)]);
  t.deepEqual(await bulk({ storeIds: [STORE_ID], itemIds: ["4009"], operation: "UNLINK" }), [row(STORE_ID, "4009")]);
  t.deepEqual(await designsOf("quince"), []);
});

test.serial("GET shows a store-level link without a label; the public lists omit it", async (t) => {
  await bulk({ storeIds: [STORE_ID], itemIds: ["apple"], designId: design(DESIGN), operation: "LINK" });
  const [link] = await storeLevel("apple");
  t.deepEqual(link, {
    linkId: "item:apple",
    eslId: null,
    displayPosition: null,
    itemId: "apple",
    linkedItemId: "apple",
    facings: null,
    designId: design(DESIGN),
    forced_design_id: null,
    tenantId: TENANT_ID,
    storeId: STORE_ID,
    status: "ACTIVE",
  });
  t.deepEqual(await bodyOf(await shelfwire.call("GET", "/links/item:apple")), link);
  t.deepEqual((await readItem(shelfwire, "apple")).links, []);
  const barcode = labelFor("beside a store-level link");
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]);
  t.is((await readLabel(shelfwire, barcode)).links.length, 1);
});

test.serial("UNLINK removes store-level links and needs no design; an absent link returns SUCCESS", async (t) => {
  const pair = { storeIds: ["branch"], itemIds: ["apple", "pear"] };
  await bulk({ ...pair, designId: DESIGN, operation: "LINK" });
  t.deepEqual(await bulk({ ...pair, operation: "UNLINK" }), [row("branch", "apple"), row("branch", "pear")]);
  t.deepEqual(await designsOf("apple", branch), []);
  t.is((await bodyOf<LinkRecord>(await branch.call("GET", "/links/item:apple"))).status, "DELETED");
  const again = await bulk({ ...pair, designId: "t/other/designs/ignored", operation: "UNLINK" });
  t.deepEqual(again, [row("branch", "apple"), row("branch", "pear")]);
});

test.serial("a failed pair does not stop the others", async (t) => {
  await writeItems(kiosk, [{ itemId: "only in the kiosk" }]);
  const rows = await bulk({
    storeIds: ["kiosk", "nowhere", STORE_ID],
    itemIds: ["only in the kiosk", "apple"],
    designId: DESIGN,
    operation: "LINK",
  });
  t.deepEqual(
    rows.map(({ storeId, itemId, status, errors }) => [storeId, itemId, status, errors.length]),
    [
      ["kiosk", "only in the kiosk", "SUCCESS", 0],
      ["kiosk", "apple", "SUCCESS", 0],
      ["nowhere", "only in the kiosk", "ERROR", 1],
      ["nowhere", "apple", "ERROR", 1],
      [STORE_ID, "only in the kiosk", "ITEM_NOT_FOUND", 1],
      [STORE_ID, "apple", "SUCCESS", 0],
    ],
  );
});

test.serial("an unknown design makes every pair an ERROR and leaves the existing links unchanged", async (t) => {
  const pair = { storeIds: [STORE_ID, "branch"], itemIds: ["pear"] };
  await bulk({ ...pair, designId: DESIGN, operation: "LINK" });
  const rows = await bulk({ ...pair, designId: "gone", operation: "LINK" });
  t.deepEqual(
    rows.map(({ status }) => status),
    ["ERROR", "ERROR"],
  );
  t.true(rows.every(({ errors }) => errors[0]?.includes(design("gone"))));
  t.deepEqual(await designsOf("pear"), [design(DESIGN)]);
});

/** How each refused body differs from a link of one item in one store. */
const bad: [what: string, differs: object, pointer: string][] = [
  ["no stores", { storeIds: [] }, "/storeIds"],
  ["no items", { itemIds: [] }, "/itemIds"],
  ["LINK without a design", { designId: undefined }, "/designId"],
  ["a design of another tenant", { designId: "t/x/designs/a" }, "/designId"],
  ["an unknown operation", { operation: "JOIN" }, "/operation"],
  ["an impossible store ID", { storeIds: ["a/b"] }, "/storeIds/0"],
  [
    "more than 100,000 pairs",
    {
      storeIds: Array.from({ length: 101 }, (_, index) => `s${index}`),
      itemIds: Array.from({ length: 1000 }, (_, index) => `i${index}`),
    },
    "",
  ],
];
for (const [what, differs, pointer] of bad) {
  test(`${what} returns 400`, async (t) => {
    const body = { storeIds: [STORE_ID], itemIds: ["apple"], designId: DESIGN, operation: "LINK", ...differs };
    t.deepEqual(pointersOf(await refused(t, await shelfwire.call("POST", "/links/bulk", body), 400)), [pointer]);
  });
}

test.serial("a store that the token does not name makes the whole call return 403", async (t) => {
  const authorization = `Bearer ${await shelfwire.token({ stores: [STORE_ID, "branch"] })}`;
  const pairs = (storeIds: string[]) => ({ storeIds, itemIds: ["apple"], designId: DESIGN, operation: "LINK" });
  await bulk({ ...pairs([STORE_ID, "branch", "kiosk"]), operation: "UNLINK" });
  const answer = await shelfwire.call("POST", "/links/bulk", pairs([STORE_ID, "branch", "kiosk"]), { authorization });
  t.regex((await refused(t, answer, 403)).detail, /kiosk/);
  t.deepEqual(await designsOf("apple"), []);
  const allowed = await shelfwire.call("POST", "/links/bulk", pairs([STORE_ID, "branch"]), { authorization });
  t.is((await labelOutcomes(shelfwire, await numberOf(allowed))).length, 2);
});

test.serial("the receipt has the addressed store's request number; every other store assigns its own", async (t) => {
  const numberIn = async (store: Shelfwire) => numberOf(await store.call("DELETE", "/items/nothing/links"));
  const before = { branch: await numberIn(branch), kiosk: await numberIn(kiosk) };
  const pairs = { storeIds: ["branch", STORE_ID], itemIds: ["apple", "pear"], designId: DESIGN, operation: "LINK" };
  const requestId = await numberOf(await shelfwire.call("POST", "/links/bulk", pairs));
  await eventually(
    "the request is complete",
    async () => (await shelfwire.client.labelsResult(requestId)).status === "COMPLETED",
  );
  // A number that was reserved too long before its request is journaled, as on a busy machine, is replaced by another.
  t.true((await numberIn(branch)) >= before.branch + 2);
  t.is(await numberIn(kiosk), before.kiosk + 1);
  await refused(t, await shelfwire.call("GET", `/items-result/${requestId}`), 404);
});

test.serial("two stores whose bulk requests name each other do not wait for each other", async (t) => {
  const storeIds = ["branch", "kiosk", STORE_ID];
  const rounds = Array.from({ length: 5 }, async (_, round) => {
    const body = { storeIds, itemIds: ["apple"], designId: DESIGN, operation: round % 2 ? "LINK" : "UNLINK" };
    return Promise.all([bulk(body), bulk(body, branch), bulk(body, kiosk)]);
  });
  for (const rows of (await Promise.all(rounds)).flat())
    t.deepEqual(
      rows,
      storeIds.map((storeId) => row(storeId, "apple")),
    );
});

test.serial("a store-level link is INACTIVE while its item is deleted, and returns with it", async (t) => {
  await writeItems(shelfwire, [{ itemId: "fig" }]);
  await bulk({ storeIds: [STORE_ID], itemIds: ["fig"], designId: DESIGN, operation: "LINK" });
  const status = async () => (await bodyOf<LinkRecord>(await shelfwire.call("GET", "/links/item:fig"))).status;
  await deleteItem(shelfwire, "fig");
  t.is(await status(), "INACTIVE");
  await writeItems(shelfwire, [{ itemId: "fig" }]);
  t.is(await status(), "ACTIVE");
});

test.serial("DELETE /links/item:{itemId} removes a store-level link; unlinking the item keeps it", async (t) => {
  await bulk({ storeIds: [STORE_ID], itemIds: ["pear"], designId: DESIGN, operation: "LINK" });
  await writeLinks(shelfwire, "DELETE", "/items/pear/links");
  t.deepEqual(await designsOf("pear"), [design(DESIGN)]);
  t.deepEqual(await writeLinks(shelfwire, "DELETE", "/links/item:pear"), [row(STORE_ID, "pear")]);
  t.deepEqual(await designsOf("pear"), []);
  t.is((await writeLinks(shelfwire, "DELETE", "/links/item:nothing"))[0]?.status, "ITEM_NOT_FOUND");
});

test.serial("thousands of pairs keep their order, and their results survive a flush of Redis", async (t) => {
  const itemIds = Array.from({ length: 1500 }, (_, index) => `item ${index}`);
  for (const store of [shelfwire, branch])
    await writeItems(
      store,
      itemIds.map((itemId) => ({ itemId })),
    );
  const pairs = { storeIds: ["branch", STORE_ID, "kiosk"], itemIds, designId: DESIGN, operation: "LINK" };
  const requestId = await numberOf(await shelfwire.call("POST", "/links/bulk", pairs));
  await shelfwire.system.redis.flushall();
  const over = () =>
    eventually("the request is complete", async () => {
      const result = await shelfwire.client.labelsResult(requestId);
      return result.status === "COMPLETED" && result.outcomes;
    });
  const rows = await over();
  t.deepEqual(
    rows.map(({ storeId, itemId, status }) => [storeId, itemId, status] as unknown),
    pairs.storeIds.flatMap((storeId) =>
      itemIds.map((itemId) => [storeId, itemId, storeId === "kiosk" ? "ITEM_NOT_FOUND" : "SUCCESS"]),
    ),
  );
  await shelfwire.system.redis.flushall();
  t.deepEqual(await over(), rows);
});

test.serial("waiting pairs are PENDING, in order", async (t) => {
  const waiting = await openShelfwire({ workers: [] });
  const body = { storeIds: ["b", "a"], itemIds: ["x", "y"], designId: DESIGN, operation: "LINK" };
  const requestId = await numberOf(await waiting.call("POST", "/links/bulk", body));
  const { status, outcomes } = await waiting.client.labelsResult(requestId);
  t.is(status, "PENDING");
  t.deepEqual(
    outcomes,
    ["b", "a"].flatMap((storeId) => ["x", "y"].map((itemId) => ({ storeId, itemId, status: "PENDING", errors: [] }))),
  );
  await waiting.close();
});
