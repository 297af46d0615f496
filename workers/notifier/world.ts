import type { Change, Topic } from "../../schemas/topics.ts";

/** What the notifier needs from the world. */
export interface NotifierWorld {
  /** Stores deliveries of these changes for the subscriptions that match them. */
  makeDeliveries(topic: Topic, changes: readonly Change[]): Promise<void>;
}
