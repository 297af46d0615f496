import type { Collection, Db } from "mongodb";
import { type CallNotice, callText } from "../../schemas/call-notice.ts";
import { keysUnder } from "../../schemas/keys.ts";
import { deleteInBatches } from "../mongodb/delete-in-batches.ts";
import { duplicateKeysOf } from "../mongodb/duplicate-keys.ts";
import { nextOwners } from "../owners.ts";
import { type Delivery, type DeliveryDocument, deliveryId, readDelivery } from "./delivery.ts";
import { createDeliveryCalls } from "./delivery-calls.ts";
import { dueAtOnce, findDue, moveDue, takeDue } from "./take-due.ts";

/** A failed attempt at a delivery. */
export interface Attempt {
  id: string;
  attempts: number;
  /** Time of the next attempt; if undefined, the delivery becomes a dead letter. */
  due: Date | undefined;
  /** Why the attempt failed. */
  notice: CallNotice;
}

/** The number of a subscription's deliveries, and the reason why one of them failed: in English and, if known, as a code. */
export interface DeliveryCounts {
  waiting: number;
  dead: number;
  lastFailure: string | null;
  lastFailureNotice?: CallNotice;
}

/** Events to be delivered to subscribers, and dead letters. They are stored in MongoDB: no delivery depends on Redis. */
export interface Deliveries {
  /** Stores events for subscriptions. Idempotent: a stored event is unchanged. */
  keep(deliveries: readonly Pick<Delivery, "subscription" | "event">[]): Promise<void>;
  /** Keys of the subscriptions with a due delivery. */
  findDue(): Promise<string[]>;
  /**
   * Leases due deliveries of a subscription for the given milliseconds, oldest first. With several events per call, each
   * delivery belongs to a call, and a failed call is repeated as a whole.
   */
  take(subscription: string, limit: number, milliseconds: number, eventsACall?: number): Promise<Delivery[]>;
  /** Makes taken deliveries due immediately. */
  giveBack(ids: readonly string[]): Promise<void>;
  /** Removes successful deliveries. */
  confirm(ids: readonly string[]): Promise<void>;
  /** Stores failed attempts: each is retried when it is due, or becomes a dead letter. */
  putOff(attempts: readonly Attempt[]): Promise<void>;
  /** Dead letters of a subscription, oldest first. */
  listDead(subscription: string, start: number, limit: number): Promise<Delivery[]>;
  /** Counts waiting deliveries and dead letters, each up to `limit`, and returns the reason for one failure. */
  count(subscription: string, limit?: number): Promise<DeliveryCounts>;
  /** Counts the deliveries and dead letters of all subscriptions of a tenant, up to `limit`. */
  countOfTenant(tenant: string, limit: number): Promise<number>;
  /** Makes dead letters of a subscription due again, all of them if `ids` is absent; returns their number. */
  replay(subscription: string, ids?: readonly string[]): Promise<number>;
  /** Removes all deliveries of a subscription that was deleted. */
  drop(subscription: string): Promise<void>;
  /** Removes dead letters that are older than `before`; returns their number. */
  forget(before: Date): Promise<number>;
}

/** Maximum number of deliveries counted for a response: each is read from the index. */
const MAX_COUNTED = 10_000;

export function openDeliveries(db: Db, now: () => Date): Deliveries {
  const waiting = db.collection<DeliveryDocument>("delivery");
  const { takeCalls, assignCalls } = createDeliveryCalls(waiting, now);

  return {
    async keep(deliveries) {
      if (deliveries.length === 0) return;
      const time = now();
      const due = dueAtOnce(time);
      const documents = deliveries.map(({ subscription, event }): DeliveryDocument => {
        const text = JSON.stringify(event);
        return { _id: deliveryId(subscription, event), subscription, event: text, since: time, attempts: 0, due };
      });
      await waiting.insertMany(documents, { ordered: false }).catch((error: unknown) => {
        // A duplicate was stored by an earlier call whose process was killed before it removed the inbox entry.
        if (duplicateKeysOf(error) === undefined) throw error;
      });
    },

    findDue() {
      const query = { owner: "subscription", field: "due", asked: { $lte: now() } };
      return nextOwners(waiting, query, "", Number.POSITIVE_INFINITY);
    },

    async take(subscription, limit, milliseconds, eventsACall = 1) {
      const lease = { now, milliseconds };
      if (eventsACall === 1) return (await takeDue(waiting, { subscription }, limit, lease)).map(readDelivery);
      const found = await findDue(waiting, { subscription }, limit, now());
      const until = new Date(now().getTime() + milliseconds);
      const failed = await takeCalls(subscription, found, until, eventsACall);
      const fresh = await moveDue(
        waiting,
        found.filter(({ call }) => call === undefined),
        until,
      );
      return [...failed, ...(await assignCalls(fresh, eventsACall))].map(readDelivery);
    },

    async giveBack(ids) {
      await waiting.updateMany({ _id: { $in: [...ids] } }, { $set: { due: dueAtOnce(now()) } });
    },

    async confirm(ids) {
      if (ids.length > 0) await waiting.deleteMany({ _id: { $in: [...ids] } });
    },

    async putOff(attempts) {
      if (attempts.length === 0) return;
      const operations = attempts.map(({ id, attempts: count, due, notice }) => {
        const failed = { attempts: count, reason: callText(notice), notice };
        const update = due ? { $set: { ...failed, due } } : { $set: failed, $unset: { due: true as const } };
        return { updateOne: { filter: { _id: id }, update } };
      });
      await waiting.bulkWrite(operations, { ordered: false });
    },

    async count(subscription, limit = MAX_COUNTED) {
      const [alive, dead, failed] = await Promise.all([
        waiting.countDocuments({ subscription, due: { $gt: new Date(0) } }, { limit }),
        waiting.countDocuments({ subscription, due: { $exists: false } }, { limit }),
        waiting.findOne({ subscription, attempts: { $gt: 0 } }),
      ]);
      const { reason: lastFailure = null, notice } = failed ?? {};
      return { waiting: alive, dead, lastFailure, ...(notice && { lastFailureNotice: notice }) };
    },

    countOfTenant: (tenant, limit) => waiting.countDocuments({ _id: keysUnder(`${tenant}/`) }, { limit }),

    async drop(subscription) {
      await deleteInBatches(waiting, { subscription }, { sort: { due: 1, since: 1, _id: 1 } });
    },

    ...openDeadLetters(waiting, now),
  };
}

/** Implements the operations on dead letters. */
const openDeadLetters = (
  waiting: Collection<DeliveryDocument>,
  now: () => Date,
): Pick<Deliveries, "listDead" | "replay" | "forget"> => ({
  async listDead(subscription, start, limit) {
    const found = await waiting
      .find({ subscription, due: { $exists: false } })
      .sort({ since: 1, _id: 1 })
      .skip(start)
      .limit(limit)
      .toArray();
    return found.map(readDelivery);
  },

  async replay(subscription, ids) {
    const { modifiedCount } = await waiting.updateMany(
      { subscription, due: { $exists: false }, ...(ids && { _id: { $in: [...ids] } }) },
      // A replay may include only some deliveries of a call, so these form a new call.
      { $set: { due: dueAtOnce(now()), attempts: 0, since: now() }, $unset: { call: true } },
    );
    return modifiedCount;
  },

  forget: (before) =>
    deleteInBatches(waiting, { due: { $exists: false }, since: { $lt: before } }, { sort: { since: 1 } }),
});
