/** The domain's module, which the server serves in place of this one (docs/decisions/pages/bundles.md). */
export { type HardItem, hardItems } from "../../../../domain/items/hard-items.ts";
