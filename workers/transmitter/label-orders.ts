import { LRUCache } from "lru-cache";
import { spreadWait } from "../../domain/labels/spread.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import type { NewestOrders } from "../../queues/orders/newest-orders.ts";
import { labelStates, labels } from "../../records/kinds/labels.ts";
import { createReadPlaces } from "../../records/labels/read-places.ts";
import type { Records } from "../../records/records.ts";
import { createBatcher } from "../../runtime/batch/batcher.ts";
import { type HistoryNotice, historyNotice, reasonBy, reasonOnly } from "../../schemas/history-notice.ts";
import type { LabelOrder } from "../../schemas/jobs.ts";
import { labelKey } from "../../schemas/keys.ts";
import { type HistoryEntry, noted } from "../../schemas/label-history.ts";
import { newLabelState } from "../../schemas/label-state.ts";
import { deadlineOf, goodFor } from "./action-deadline.ts";
import { createOrderSlots } from "./air/order-slots.ts";
import type { LabelServers } from "./servers/label-servers.ts";
import type { FlashWorld, OrderKind } from "./world.ts";

interface Dependencies {
  records: Records;
  commit: Commit;
  labelServers: LabelServers;
  newestOrders: NewestOrders;
  /** Maximum fraction by which the waits of orders differ. */
  spread: number;
  now(): Date;
}

/** The final result of an order, as the label's history stores it. */
type FinalResult = Pick<HistoryEntry, "result" | "reason" | "notice">;

const NOTES_PER_WRITE = 500;
const MAX_UNNOTED_RESULTS = 1000;
const AWAY_WAIT_MS = 1_000;
const SLOT_WAIT_MS = 200;

/** Sends flash and display-page orders, and records their results in the labels' histories. */
export function createLabelOrders(dependencies: Dependencies): Pick<FlashWorld, "carryOut"> {
  const { records, commit, labelServers, newestOrders, spread, now } = dependencies;
  const readPlaces = createReadPlaces(records, labelServers);
  const slots = createOrderSlots(() => now().getTime());

  /**
   * Results that could not be recorded. A retry of the job records them from here: an order that was sent is neither sent again
   * nor recorded as discarded.
   */
  const unnoted = new LRUCache<string, FinalResult>({ max: MAX_UNNOTED_RESULTS });

  const note = createBatcher<{ key: string; entry: HistoryEntry }, void>({
    weigh: () => 1,
    maxWeight: NOTES_PER_WRITE,
    async run(entries) {
      const byLabel = Map.groupBy(entries, ({ key }) => key);
      // A label without a record can flash, but has no history.
      const known = await records.readRevs(labels, [...byLabel.keys()]);
      await commit.change(
        labelStates,
        [...known.keys()],
        (key, current) =>
          (byLabel.get(key) ?? []).reduce((state, { entry }) => noted(state, entry), current ?? newLabelState()),
        "bulk",
      );
      return entries.map(() => undefined);
    },
  });

  /**
   * Sends an order, unless it is late or superseded. Returns its final result, or the milliseconds after which to
   * retry.
   */
  async function send(kind: OrderKind, order: LabelOrder): Promise<FinalResult | number> {
    const left = deadlineOf(order) - now().getTime();
    if (left <= 0) return dropped(historyNotice("ORDER_LATE", { seconds: goodFor(order) }));
    if (!(await newestOrders.isNewest(kind, order))) return dropped(historyNotice("ORDER_REPLACED", {}));
    const { store, barcode, linkDepartment } = order;
    const key = labelKey(store, barcode);
    const labelServer = labelServers.of(linkDepartment ? { store, linkDepartment } : (await readPlaces([key]))(key));
    const later = (waitMs: number) => Math.min(spreadWait(waitMs, spread, `${barcode} ${left}`), left);
    if (labelServer.isAway()) return later(AWAY_WAIT_MS);
    const release = slots.take(labelServer);
    if (release === undefined) return later(labelServer.failingSince() === undefined ? SLOT_WAIT_MS : AWAY_WAIT_MS);
    const answer = await labelServer.sendOrder({ ...order, order: kind }).finally(release);
    if (answer.kind === "later") return later(answer.afterMs);
    return answer.kind === "accepted" ? { result: "sent" } : { result: "refused", ...reasonOnly(answer) };
  }

  return {
    async carryOut(kind, order) {
      const key = labelKey(order.store, order.barcode);
      const id = `${kind} ${key} ${order.number}`;
      const result = unnoted.get(id) ?? (await send(kind, order));
      if (typeof result === "number") return result;
      unnoted.set(id, result);
      const page = "page" in order.body && order.body.page !== undefined ? { page: order.body.page } : {};
      await note({ key, entry: { at: now().getTime(), event: kind, order: order.number, ...page, ...result } });
      unnoted.delete(id);
      return undefined;
    },
  };
}

const dropped = (notice: HistoryNotice): FinalResult => ({ result: "dropped", ...reasonBy(notice) });
