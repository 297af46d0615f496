import type { Handlers } from "../../queues/topology.ts";
import { type Change, topics } from "../../schemas/topics.ts";
import type { NotifierWorld } from "./world.ts";

/** Notifier: for each change, stores a delivery to each matching subscription (docs/decisions/events/stored-events.md). */
export const notifier = ({ makeDeliveries }: NotifierWorld): Handlers<"notifier"> =>
  Object.fromEntries(
    topics.map((topic) => [topic, (changes: Change[]) => makeDeliveries(topic, changes)]),
  ) as Handlers<"notifier">;
