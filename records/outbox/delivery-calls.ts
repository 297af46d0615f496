import { randomUUID } from "node:crypto";
import type { Collection } from "mongodb";
import { inBatches } from "../../schemas/in-batches.ts";
import type { DeliveryDocument } from "./delivery.ts";

/** A partial call that has been due for this long was left by a killed process. */
const LEFT_AFTER_MS = 60_000;
/** Groups deliveries of a subscription with several events per call, so that each attempt of a call has the same ones. */
export function createDeliveryCalls(waiting: Collection<DeliveryDocument>, now: () => Date) {
  /**
   * Takes the whole of each call to which these due deliveries belong: whichever process moves a call's first delivery owns the
   * call.
   */
  async function takeCalls(
    subscription: string,
    found: readonly DeliveryDocument[],
    until: Date,
    eventsACall: number,
  ): Promise<DeliveryDocument[]> {
    const calls = new Set(found.flatMap(({ call }) => call ?? []));
    if (calls.size === 0) return [];
    // The deliveries of a call are due at the same time. The query's limit may have cut off part of the last call.
    const dues = [...new Set(found.flatMap(({ due, call }) => (due && call ? [due.getTime()] : [])))];
    const all = await waiting.find({ subscription, due: { $in: dues.map((due) => new Date(due)) } }).toArray();
    all.sort(oldestFirst);
    const taken: DeliveryDocument[] = [];
    for (const [call, group] of Map.groupBy(all, (one) => one.call)) {
      const [first] = group;
      if (call === undefined || !calls.has(call) || first?.due === undefined) continue;
      // Another process is about to move the remaining deliveries, unless it was killed in between.
      const isCut = group.length < sizeOfCall(call);
      const isLeft = isCut && now().getTime() - first.due.getTime() > LEFT_AFTER_MS;
      if (isCut && !isLeft) continue;
      // Calls are also divided again if the subscription now has fewer events per call.
      const isDivided = isLeft || group.length > eventsACall;
      const change = isDivided ? { $unset: { call: true as const } } : { $set: { due: until } };
      const { matchedCount } = await waiting.updateOne({ _id: first._id, due: first.due }, change);
      if (matchedCount === 0) continue;
      await waiting.updateMany({ _id: { $in: group.map(({ _id }) => _id) } }, change);
      if (!isDivided) taken.push(...group);
    }
    return taken;
  }

  /** Divides taken deliveries into calls, before any of them is sent. */
  async function assignCalls(taken: readonly DeliveryDocument[], eventsACall: number): Promise<DeliveryDocument[]> {
    const assigned = inBatches(taken, eventsACall).map((group) => ({ group, call: `${randomUUID()}/${group.length}` }));
    for (const { group, call } of assigned)
      await waiting.updateMany({ _id: { $in: group.map(({ _id }) => _id) } }, { $set: { call } });
    return assigned.flatMap(({ group, call }) => group.map((one) => ({ ...one, call })));
  }

  return { takeCalls, assignCalls };
}

const sizeOfCall = (call: string): number => Number(call.slice(call.lastIndexOf("/") + 1));

/** The order of deliveries that are due at the same time. Every attempt of a call sends its events in this order. */
const oldestFirst = (one: DeliveryDocument, other: DeliveryDocument): number =>
  one.since.getTime() - other.since.getTime() || (one._id < other._id ? -1 : 1);
