import { createCommit } from "../../../queues/changes/commit.ts";
import { chunkJobData } from "../../../queues/requests/chunk-jobs.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { items, schedules } from "../../../records/kinds/items.ts";
import { openOutbox } from "../../../records/outbox/outbox.ts";
import type { RequestChunk } from "../../../schemas/jobs.ts";
import { itemKey } from "../../../schemas/keys.ts";
import { numberOf } from "../../../schemas/stamp.ts";
import { buildItemWorker } from "../../../workers/item/process.ts";
import { DEMO_STORE } from "../../harness/glass.ts";
import { type Gate, inTurns } from "../../harness/searches/turns.ts";
import type { Shelfwire } from "../../harness/shelfwire.ts";

const FAR = "2999-01-01 00:00:00";
const BEYOND = "2999-06-01T00:00:00Z";
const key = itemKey(DEMO_STORE, "X");
const both = [items, schedules] as RecordKind<never>[];

type Operation = "patch-items" | "apply-scheduled" | "delete-items";

export interface Requests {
  scheduled?: RequestChunk;
  first?: RequestChunk;
  newer?: RequestChunk;
  second?: RequestChunk;
}

/** The expected result: the newer price wins, and the scheduled name is set by the first request that applies due updates. */
export const appliedOnce = { itemName: "new", price: "3", appliedBy: 0, pending: 0, settled: true };

/** Applies a scheduled price and a newer price in steps that a test may hold. */
export function scheduledPriceOf(shelfwire: Pick<Shelfwire, "system">) {
  async function accept(operation: Operation, row: object): Promise<RequestChunk> {
    const request = { store: DEMO_STORE, operation, rows: [row], ordered: operation !== "patch-items" };
    const [chunk] = await shelfwire.system.accept(request);
    if (chunk === undefined) throw new Error("nothing was journaled");
    return chunkJobData(chunk);
  }

  /** Applies a job with its own item worker, each step on these kinds controlled by a gate; the job may have to be retried. */
  async function apply(operation: Operation, job: RequestChunk | undefined, gate?: Gate, kinds = both): Promise<void> {
    const { system } = shelfwire;
    const records = gate ? inTurns(system.records, gate, kinds) : system.records;
    const commit = createCommit({ ...system, records, outbox: openOutbox(system.db) });
    const world = { ...system, records, commit };
    const { handlers } = buildItemWorker(world, { BARCODE_PATTERN: "(?<type>\\d{4})\\d$", SWEEP_EVERY: 30 });
    if (job) await handlers.item[operation]([job]);
  }

  return {
    apply,
    /** Accepts a scheduled price for an item that has no scheduled change yet. */
    async prepare(): Promise<Requests> {
      const fresh = await accept("delete-items", { itemId: "X" });
      await apply("delete-items", fresh);
      const old = await accept("patch-items", { itemId: "X", itemName: "old", price: "1" });
      await apply("patch-items", old);
      const scheduled = await accept("patch-items", { itemId: "X", itemName: "new", price: "2", validFrom: FAR });
      return { scheduled };
    },
    /** Accepts a request that applies due updates, a newer price, and a second request that applies due updates. */
    async acceptRest(requests: Requests): Promise<void> {
      requests.first = await accept("apply-scheduled", { until: BEYOND });
      requests.newer = await accept("patch-items", { itemId: "X", price: "3" });
      requests.second = await accept("apply-scheduled", { until: BEYOND });
    },
    async finish({ scheduled, first, newer, second }: Requests): Promise<void> {
      await apply("patch-items", scheduled);
      await apply("apply-scheduled", first);
      await apply("patch-items", newer);
      await apply("apply-scheduled", second);
    },
    async readOutcome({ first, second }: Requests) {
      const { records, numbers } = shelfwire.system;
      const item = (await records.read(items, [key])).get(key);
      const schedule = (await records.read(schedules, [key])).get(key);
      return {
        itemName: item?.itemName,
        price: item?.price,
        appliedBy: first && numberOf(item?.stamps.itemName ?? 0) - first.number,
        pending: schedule?.updates.length,
        settled: (await numbers.settledThrough(DEMO_STORE)) >= (second?.number ?? 0),
      };
    },
  };
}
