import test from "ava";
import { createAcceptGuarded } from "../../../api/held/accept-guarded.ts";
import { createTryRows } from "../../../api/held/try-rows.ts";
import { createUndoPriceList } from "../../../api/price-lists/undo-price-list.ts";
import { mergeItem } from "../../../domain/items/merge-item.ts";
import { UnavailableError } from "../../../records/mongodb/unavailable.ts";
import type { OnGuard } from "../../../schemas/held-request.ts";
import type { ListedItem, PriceList } from "../../../schemas/price-list.ts";
import type { Stored } from "../../../schemas/record.ts";
import { stampOf } from "../../../schemas/stamp.ts";
import type { StoreRecord } from "../../../schemas/store.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";

/** What a call leaves behind if it is refused after its rows have been tried, in a store whose prices must be positive. */
const STORE = "t/demo/s/main";
const settings = { _id: STORE, timeZone: "Europe/Zagreb", priceGuards: { positive: true } } as Stored<StoreRecord>;
const permit = { caller: "ana", tenant: "demo", stores: "*", scopes: new Set<string>() } as const;

/** Accepts calls while this many requests of the tenant are held; `journaled` lists the rows of the requests, in order. */
function accepting(waiting: number, accept: () => Promise<[]> = async () => []) {
  const journaled: unknown[] = [];
  const [now, clock] = [() => new Date(), () => 0];
  const guarded = createAcceptGuarded({
    acceptRows: async ({ rows }) => journaled.push(rows),
    async accept({ rows }) {
      await accept();
      journaled.push(rows);
      return [];
    },
    tryRows: createTryRows({ records: { readFields: async () => new Map(), count: async () => 0 }, now, clock }),
    holds: { countWaiting: async () => waiting },
    holdMarks: { set: async () => "mark", remove: async () => {} },
    now,
  });
  return { ...guarded, journaled };
}
const [good, bad] = [
  { itemId: "milk", price: "1.00" },
  { itemId: "bread", price: "0" },
];
const call = (onGuard: OnGuard) => ({
  ...{ operation: "patch-items" as const, store: STORE, settings, permit, onGuard, rows: [good, bad] },
  isOrdered: () => false,
});

test("no row is accepted if some would have to be held but the tenant has too many held requests", async (t) => {
  const full = accepting(tenantLimits.heldRequests);
  await t.throwsAsync(full.acceptGuarded(call("HOLD_ROWS")), { message: /^1000 requests of the tenant are held/ });
  t.deepEqual(full.journaled, []);
  const last = accepting(tenantLimits.heldRequests - 1);
  await last.acceptGuarded(call("HOLD_ROWS"));
  t.deepEqual(last.journaled, [[bad], [good]]);
});

test("no row is accepted if the database cannot store the rows to be held", async (t) => {
  const away = accepting(0, () => Promise.reject(new UnavailableError("away")));
  await t.throwsAsync(away.acceptGuarded(call("HOLD_ROWS")), { message: /away/ });
  t.deepEqual(away.journaled, []);
});

/** Undoes a list of 20,001 items, in two requests; the items at the indices `bad` return to a price of 0. */
function undo(guarded: ReturnType<typeof accepting>, onGuard: OnGuard, bad: readonly number[]) {
  const now = Array.from({ length: 20_001 }, (_, index) => {
    const itemId = `item ${index}`;
    const before = mergeItem(undefined, { itemId, price: bad.includes(index) ? "0" : "1.00" }, 0, true);
    const item = mergeItem(before, { itemId, price: "2.00" }, stampOf(1, 0), true, "wrong");
    return { listed: [itemId, null, "2.00"] as ListedItem, item, isScheduled: false };
  });
  const undoPriceList = createUndoPriceList({
    ...guarded,
    openRequestOf: async () => undefined,
    readListedItems: async () => now.map(({ listed }) => listed),
    async *readListedNow() {
      yield now;
    },
  });
  const list = { _id: `${STORE}/pricelists/wrong`, requests: [1] } as unknown as Stored<PriceList>;
  return undoPriceList({ store: STORE, settings, permit, onGuard, list });
}

test("an undo of several requests sends none if a guard refuses one, or if not all of them can be held", async (t) => {
  const refusing = accepting(0);
  await t.throwsAsync(undo(refusing, "REFUSE", [20_000]), { message: /^Nothing was changed/ });
  t.deepEqual(refusing.journaled, []);
  const full = accepting(tenantLimits.heldRequests - 1);
  await t.throwsAsync(undo(full, "HOLD", [0, 20_000]), { message: /are held: decide on them first/ });
  t.deepEqual(full.journaled, []);
  const last = accepting(tenantLimits.heldRequests - 1);
  t.is((await undo(last, "HOLD", [20_000])).held, true);
  t.is(last.journaled.length, 2);
});
