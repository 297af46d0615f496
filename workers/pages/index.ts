import type { Handlers } from "../../queues/topology.ts";
import { failure } from "../item/rules/outcome.ts";
import { createDrawRows } from "./draw-rows.ts";
import type { PagesWorld } from "./world.ts";

/** Pages worker: draws uploaded images of pages, which take seconds each, so that no price waits for them. */
export const pagesWorker = (world: PagesWorld): Handlers<"pages"> => ({
  "draw-pages": world.applyChunks(createDrawRows(world), ({ itemId }, error) => failure(itemId, [error.message])),
});
