import test from "ava";
import { summaryOf } from "../../../api/price-lists/list-answer.ts";
import { createUndoPriceList } from "../../../api/price-lists/undo-price-list.ts";
import { findOpenListRequest } from "../../../records/requests/held/open-list-request.ts";
import { priceListKey, storeKey } from "../../../schemas/keys.ts";
import type { PriceList } from "../../../schemas/price-list.ts";
import type { Stored } from "../../../schemas/record.ts";
import { ownSystem } from "../../harness/own.ts";
import { unchecked } from "../../harness/part-of.ts";

const own = ownSystem();
const store = storeKey("demo", "main");
const listOf = (list: Partial<PriceList>) =>
  unchecked<Stored<PriceList>>({ _id: priceListKey(store, "erp"), since: new Date(0), requests: [], ...list });

test("a list cannot be undone while one of its chunks is not yet applied", async (t) => {
  const { accept, journal, db } = own.system;
  const rows = Array.from({ length: 1_200 }, (_, index) => ({ itemId: `item-${index}`, price: "1.00" }));
  const chunks = await accept({ store, operation: "patch-items", rows, ordered: false, list: "erp" });
  const settle = (index: number) => journal.settle(new Map([[chunks[index]?._id ?? "", []]]));
  const undo = createUndoPriceList({
    readListedItems: async () => [],
    async *readListedNow() {},
    acceptAllGuarded: unchecked(() => t.fail()),
    openRequestOf: findOpenListRequest(db, journal),
  });
  const call = unchecked<Parameters<typeof undo>[0]>({ store, list: listOf({}) });
  await settle(0);
  const applying = await t.throwsAsync(undo(call));
  t.like(applying, { notice: { code: "LIST_APPLYING", values: { request: String(chunks[0]?.number) } } });
  await settle(1);
  t.regex((await t.throwsAsync(undo(call)))?.message ?? "", /Nothing of the price list "erp" is left to undo/);
});

test("a list with a request after its last undo does not count as undone", (t) => {
  const stateOf = (requests: number[], undos: number[]) =>
    summaryOf(listOf({ requests, undo: { at: new Date(0), requests: undos } }), {
      ...{ timeZone: "UTC", settled: 100, now: new Date(1) },
    }).state;
  t.deepEqual(
    [stateOf([5], [12]), stateOf([5, 15], [12]), stateOf([5, 15], [12, 20])],
    ["UNDONE", "APPLIED", "UNDONE"],
  );
});
