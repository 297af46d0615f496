import { failure } from "../../domain/items/outcome.ts";
import type { Handlers } from "../../queues/topology.ts";
import { rowNotice } from "../../schemas/row-notice.ts";
import { urgencyOf } from "../../schemas/topics.ts";
import { createDrawRows } from "./draw-rows.ts";
import { createDrawSizes } from "./draw-sizes.ts";
import type { PagesWorld } from "./world.ts";

/**
 * Pages worker: decodes and draws uploaded images. Each image takes seconds, so images have their own worker, and no price waits
 * for them.
 */
export const pagesWorker = (world: PagesWorld): { pages: Handlers<"pages">; sizes: Handlers<"sizes"> } => ({
  pages: {
    "asset.v1": (changes) =>
      world.deriveAssetFiles(
        changes.map(({ key }) => key),
        urgencyOf(changes),
      ),
    "draw-pages": world.applyChunks(createDrawRows(world), ({ itemId }, error) =>
      failure(itemId, rowNotice("ROW_FAILED", { detail: error.message })),
    ),
  },
  sizes: { "draw-size": createDrawSizes(world) },
});
