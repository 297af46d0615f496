import { generate } from "lean-qr";

/** What pages use of lean-qr, as one module (docs/decisions/pages/bundles.md). */
export { generate };
