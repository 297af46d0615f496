import type { Handlers } from "../../queues/topology.ts";
import { type Change, topics } from "../../schemas/topics.ts";
import type { NotifierWorld } from "./world.ts";

/** Notifier: stores a delivery of each change for each matching subscription (docs/decisions/events/stored-events.md). */
export const notifier = ({ makeDeliveries }: NotifierWorld): Handlers<"notifier"> =>
  Object.fromEntries(
    topics.map((topic) => [topic, (changes: Change[]) => makeDeliveries(topic, changes)]),
  ) as Handlers<"notifier">;
