import type { Handlers } from "../../queues/topology.ts";
import { type Change, topics } from "../../schemas/topics.ts";
import type { NotifierWorld } from "./world.ts";

/** Notifier: who has asked to hear of this change? (design, section 9) */
export const notifier = ({ makeDeliveries }: NotifierWorld): Handlers<"notifier"> =>
  Object.fromEntries(
    topics.map((topic) => [topic, (changes: Change[]) => makeDeliveries(topic, changes)]),
  ) as Handlers<"notifier">;
