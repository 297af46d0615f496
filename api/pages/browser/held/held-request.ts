import { call, element, enableButtons } from "../call.ts";
import { isConfirmed } from "../confirm.ts";
import { type Problem, refusalReason } from "../notice-text.ts";
import { textsIn } from "../texts.ts";

const page = element("#held");
const { address = "" } = page.dataset;
const text = textsIn(page);

page.addEventListener("click", async ({ target }) => {
  const button = (target as HTMLElement).closest<HTMLButtonElement>("button[data-act]");
  const act = button?.dataset.act;
  if (button === null || act === undefined) return;
  if (act === "approve" && !(await isConfirmed(element("#approve-dialog")))) return;
  const note = String(new FormData(element<HTMLFormElement>("#decision")).get("note") ?? "").trim();
  button.disabled = true;
  const answer = await call("POST", `${address}/${act}`, note === "" ? {} : { note }).catch(() => Response.error());
  button.disabled = false;
  // The page's content may have changed: after a reload it shows who has decided, or what the guards find now.
  if (answer.ok || answer.status === 409) return location.reload();
  const problem = ((await answer.json().catch(() => undefined)) ?? {}) as Problem;
  const reason = refusalReason(problem, text, () => undefined);
  const outcome = element("#outcome");
  outcome.textContent = reason === "" ? text("form.failed") : text("form.refused", { reason });
  outcome.focus();
});

enableButtons();
