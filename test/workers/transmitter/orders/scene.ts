import { openNewestOrders } from "../../../../queues/orders/newest-orders.ts";
import { labelStates } from "../../../../records/kinds/labels.ts";
import type { FlashOrder } from "../../../../schemas/jobs.ts";
import { idOf } from "../../../../schemas/keys.ts";
import { entriesOf } from "../../../../schemas/label-history.ts";
import { createLabelOrders } from "../../../../workers/transmitter/label-orders.ts";
import type { ASystem } from "../../../harness/system.ts";
import { STORE, transmitScene } from "../scene.ts";
import { at } from "../states.ts";

/** Orders at a time that the test sets. Orders created at second 0 have that time as their number. */
export function ordersScene(own: ASystem) {
  const scene = transmitScene(own);
  const { system } = own;
  const set = { isNoteRefused: false };
  const commit: typeof system.commit = {
    ...system.commit,
    change: async (...given) => {
      if (set.isNoteRefused) throw new Error("MongoDB is unreachable");
      return system.commit.change(...given);
    },
  };
  const newestOrders = openNewestOrders(system.redis, () => {});
  const { carryOut } = createLabelOrders({
    ...{ records: system.records, commit, newestOrders, spread: 0 },
    labelServers: scene.labelServer.servers,
    now: () => scene.clock.now,
  });
  const flash = (key: string, more: Partial<FlashOrder> = {}): FlashOrder => ({
    ...{ store: STORE, barcode: idOf(key), number: at(0).getTime() * 1000, priority: "high", transceivers: ["T1"] },
    body: { duration: 60 } as FlashOrder["body"],
    ...more,
  });
  const stored = async (key: string) => (await system.records.readFields(labelStates, [key], ["history"])).get(key);
  const history = async (key: string) =>
    entriesOf((await stored(key))?.history ?? []).map(({ event, result, reason, notice, page }) => ({
      event,
      result,
      reason,
      notice,
      page,
    }));
  return { ...scene, set, carryOut, flash, history, newestOrders };
}
