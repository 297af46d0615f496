import type { Change, Topic } from "../../schemas/topics.ts";

/** What the notifier needs of the world. */
export interface NotifierWorld {
  /** Keeps these changes for the subscriptions that ask for them. */
  makeDeliveries(topic: Topic, changes: readonly Change[]): Promise<void>;
}
