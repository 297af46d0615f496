import { generate } from "lean-qr";

/** The parts of lean-qr that pages use, as one module (docs/decisions/pages/bundles.md). */
export { generate };
