import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import type { Visit } from "../visit.ts";

/** The actions on the selected labels; the page's script enables them. */
export function actsBar({ texts, permit }: Visit): Html {
  const act = (name: "flash" | "refresh" | "unlink", kind = "") =>
    html`<button${scripted} type="button" data-act="${name}" class="${kind}">${texts(`act.${name}`)}</button>`;
  return html`<section class="selection" id="selection" hidden aria-label="${texts("shelf.selection")}">
<p id="selected" role="status"></p>
<form class="assign" id="assign"><label class="field"><span>${texts("work.assignee")}</span><input name="assignee" list="people" maxlength="64" autocomplete="off" value="${permit.subject}"></label>
<button${scripted} class="primary" data-mark="ASSIGNED">${texts("work.assign")}</button><button${scripted} type="button" data-mark="DONE">${texts("work.markDone")}</button><button${scripted} type="button" data-mark="OPEN">${texts("work.reopen")}</button></form>
<div class="buttons" id="acts">${act("flash")}${act("refresh")}${act("unlink", "danger")}</div>
<div class="buttons" id="progress" hidden><progress id="bar" max="1" value="0" aria-label="${texts("act.title")}"></progress><button${scripted} type="button" id="stop">${texts("shelf.stop")}</button></div>
<dialog id="confirm" aria-labelledby="confirm-text"><form method="dialog"><p id="confirm-text"></p><div class="buttons"><button value="no" autofocus>${texts("cancel")}</button><button class="primary" value="yes">${texts("shelf.go")}</button></div></form></dialog>
</section><p class="said" role="status" id="said" tabindex="-1"></p>`;
}
