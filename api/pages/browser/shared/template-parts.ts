/** The domain's module, which the server serves in place of this one (docs/decisions/pages/bundles.md). */
export { splitTemplate } from "../../../../domain/expression/template-parts.ts";
