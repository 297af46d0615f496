import type { Handlers } from "../../queues/topology.ts";
import { type Change, type Topic, topics } from "../../schemas/topics.ts";

/** What the notifier needs of the world. */
export interface Dependencies {
  /** Keeps these changes for the subscriptions that ask for them. */
  makeDeliveries(topic: Topic, changes: readonly Change[]): Promise<void>;
}

/** Notifier: who has asked to hear of this change? (design, section 9) */
export const notifier = ({ makeDeliveries }: Dependencies): Handlers<"notifier"> =>
  Object.fromEntries(
    topics.map((topic) => [topic, (changes: Change[]) => makeDeliveries(topic, changes)]),
  ) as Handlers<"notifier">;
