import { type Db, MongoBulkWriteError } from "mongodb";
import type { ChangeEvent } from "../../schemas/events.ts";

/** An event on its way to a subscriber. */
export interface Delivery {
  /** Subscription's key, topic and event's id: an event waits for a subscription once. */
  _id: string;
  /** Key of the subscription. */
  subscription: string;
  event: ChangeEvent;
  since: Date;
  attempts: number;
  /** When to try; absent where it was given up. */
  due?: Date;
  /** What the receiver said last. */
  reason?: string;
}

type DeliveryDocument = Omit<Delivery, "event"> & { event: string };

/** What became of the last try of a delivery. */
export interface Attempt {
  id: string;
  attempts: number;
  /** When to try again; absent where it is given up. */
  due: Date | undefined;
  reason: string;
}

/** What waits for subscribers. MongoDB holds it, so that nothing of it depends on Redis. */
export interface Deliveries {
  /** Keeps events for subscriptions; those that wait already are left alone. */
  keep(deliveries: readonly Pick<Delivery, "subscription" | "event">[]): Promise<void>;
  /** The subscriptions for which something is due. */
  findDue(): Promise<string[]>;
  /** Takes what is due for a subscription for so many milliseconds: nobody else takes it meanwhile. Oldest first. */
  take(subscription: string, limit: number, milliseconds: number): Promise<Delivery[]>;
  /** These arrived. */
  confirm(ids: readonly string[]): Promise<void>;
  /** These did not: tried again when it is due, or given up where there is no time. */
  putOff(attempts: readonly Attempt[]): Promise<void>;
  /** Given-up events of a subscription, oldest first. */
  listDead(subscription: string, start: number, limit: number): Promise<Delivery[]>;
  /** How many wait, how many were given up, and what the receiver said of one that failed. */
  count(subscription: string): Promise<{ waiting: number; dead: number; lastFailure: string | null }>;
  /** Tries given-up events of a subscription again from now on; all of them where no ids are named. */
  replay(subscription: string, ids?: readonly string[]): Promise<number>;
  /** Drops what waits for a subscription that is no more. */
  drop(subscription: string): Promise<void>;
  /** Drops given-up events that are older. */
  forget(before: Date): Promise<number>;
}

const DUPLICATE_KEY = 11_000;

export const deliveryId = (subscription: string, { id, type }: Pick<ChangeEvent, "id" | "type">): string =>
  `${subscription}~${type}~${id}`;

export function openDeliveries(db: Db, now: () => Date): Deliveries {
  const waiting = db.collection<DeliveryDocument>("delivery");
  const read = ({ event, ...rest }: DeliveryDocument): Delivery => ({ ...rest, event: JSON.parse(event) });

  return {
    async keep(deliveries) {
      if (deliveries.length === 0) return;
      const time = now();
      const documents = deliveries.map(({ subscription, event }): DeliveryDocument => {
        const text = JSON.stringify(event);
        return { _id: deliveryId(subscription, event), subscription, event: text, since: time, attempts: 0, due: time };
      });
      await waiting.insertMany(documents, { ordered: false }).catch((error: unknown) => {
        // What waits already was kept by one who was killed before he could say so.
        if (!(error instanceof MongoBulkWriteError)) throw error;
        if ([error.writeErrors].flat().some(({ code }) => code !== DUPLICATE_KEY)) throw error;
      });
    },

    findDue: () => waiting.distinct("subscription", { due: { $lte: now() } }),

    async take(subscription, limit, milliseconds) {
      const found = await waiting
        .find({ subscription, due: { $lte: now() } })
        .sort({ since: 1, _id: 1 })
        .limit(limit)
        .toArray();
      const until = new Date(now().getTime() + milliseconds);
      const taken = await Promise.all(
        found.map(async (one) => {
          const { matchedCount } = await waiting.updateOne({ _id: one._id, due: one.due }, { $set: { due: until } });
          return matchedCount === 1 ? [read({ ...one, due: until })] : [];
        }),
      );
      return taken.flat();
    },

    async confirm(ids) {
      if (ids.length > 0) await waiting.deleteMany({ _id: { $in: [...ids] } });
    },

    async putOff(attempts) {
      if (attempts.length === 0) return;
      const operations = attempts.map(({ id, attempts: count, due, reason }) => ({
        updateOne: {
          filter: { _id: id },
          update: due
            ? { $set: { attempts: count, reason, due } }
            : { $set: { attempts: count, reason }, $unset: { due: true as const } },
        },
      }));
      await waiting.bulkWrite(operations, { ordered: false });
    },

    async listDead(subscription, start, limit) {
      const found = await waiting
        .find({ subscription, due: { $exists: false } })
        .sort({ since: 1, _id: 1 })
        .skip(start)
        .limit(limit)
        .toArray();
      return found.map(read);
    },

    async count(subscription) {
      const [all, dead, failed] = await Promise.all([
        waiting.countDocuments({ subscription }),
        waiting.countDocuments({ subscription, due: { $exists: false } }),
        waiting.findOne({ subscription, attempts: { $gt: 0 } }),
      ]);
      return { waiting: all - dead, dead, lastFailure: failed?.reason ?? null };
    },

    async replay(subscription, ids) {
      const { modifiedCount } = await waiting.updateMany(
        { subscription, due: { $exists: false }, ...(ids && { _id: { $in: [...ids] } }) },
        { $set: { due: now(), attempts: 0, since: now() } },
      );
      return modifiedCount;
    },

    async drop(subscription) {
      await waiting.deleteMany({ subscription });
    },

    async forget(before) {
      const { deletedCount } = await waiting.deleteMany({ due: { $exists: false }, since: { $lt: before } });
      return deletedCount;
    },
  };
}
