import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import type { Visit } from "../visit.ts";
import type { LabelFacts } from "./label-facts.ts";

/** The actions that are currently possible with the label; none if the session is read-only. */
export function actions({ texts, may }: Visit, { explanation }: LabelFacts): Html {
  if (!may("labels:write")) return html``;
  const isLinked = explanation.positions.some(({ link }) => link !== null && link.status !== "DELETED");
  const button = (action: "flash" | "refresh" | "info" | "unlink") =>
    html`<button${scripted} type="button" data-act="${action}" data-done="${texts(`act.${action}.done`)}">${texts(`act.${action}`)}</button>`;
  return html`<section class="card" aria-labelledby="act-title" id="acts" data-failed="${texts("act.failed")}" data-unsupported="${texts("act.unsupported")}" data-unreachable="${texts("act.unreachable")}" data-later="${texts("shelf.later", { count: 1 })}">
<h2 id="act-title">${texts("act.title")}</h2>
<div class="buttons">${button("flash")}${button("refresh")}${button("info")}<span id="unlink" data-live>${isLinked && button("unlink")}</span></div>
<p class="outcome" role="status" id="act-outcome"></p>
<dialog id="unlink-dialog" aria-labelledby="unlink-title"><form method="dialog"><h2 id="unlink-title">${texts("unlink.title")}</h2><p>${texts("unlink.what")}</p>
<div class="buttons"><button value="no" autofocus>${texts("cancel")}</button><button class="danger" value="yes">${texts("act.unlink")}</button></div></form></dialog>
</section>`;
}
