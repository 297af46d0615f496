import { type Html, html } from "../html/html.ts";
import type { Visit } from "../visit.ts";

/** Keeps the store in the address when the browser submits a form, which drops the query of the page's address. */
export const keptStore = ({ query }: Visit): Html | false =>
  query.has("store") && html`<input type="hidden" name="store" value="${query.get("store")}">`;
