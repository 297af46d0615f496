import { type Html, html } from "../html/html.ts";
import type { Visit } from "../visit.ts";

/** A form that the browser itself sends drops what its page's address says: this keeps the store that it names. */
export const keptStore = ({ query }: Visit): Html | false =>
  query.has("store") && html`<input type="hidden" name="store" value="${query.get("store")}">`;
