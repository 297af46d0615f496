import { type Html, html } from "../html/html.ts";
import type { Visit } from "../visit.ts";

/** A form submitted by the browser drops the query of its page's address: this keeps the store in it. */
export const keptStore = ({ query }: Visit): Html | false =>
  query.has("store") && html`<input type="hidden" name="store" value="${query.get("store")}">`;
