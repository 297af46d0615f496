import { call, element, enableButtons, wait } from "../call.ts";
import { isConfirmed } from "../confirm.ts";
import { type Problem, refusalReason } from "../notice-text.ts";
import { readJson } from "../read-all.ts";
import { textsIn } from "../texts.ts";

const page = element("#lists");
const { base = "", held: heldAddress = "" } = page.dataset;
const text = textsIn(page);

const POLL_INTERVAL_MS = 500;
const MAX_POLLS = 120;

/** Shows the outcome of an undo in a place that a screen reader finds. */
function say(content: string): void {
  const outcome = element("#outcome");
  outcome.textContent = content;
  outcome.focus();
}

page.addEventListener("click", async ({ target }) => {
  const button = (target as HTMLElement).closest<HTMLButtonElement>("button[data-undo]");
  const list = button?.dataset.undo;
  if (button === null || list === undefined) return;
  element("#undo-title").textContent = text("lists.sure", { list });
  if (!(await isConfirmed(element("#undo-dialog")))) return;
  button.disabled = true;
  say(text("lists.undoing"));
  // Prices beyond head office's guards wait for a second person, like the prices of a list.
  const address = `${base}/price-lists/${encodeURIComponent(list)}/undo?onGuard=HOLD`;
  const answer = await call("POST", address).catch(() => Response.error());
  if (answer.ok) return tellUndone((await answer.json()) as { requestIds: number[]; held: boolean });
  button.disabled = false;
  const problem = ((await answer.json().catch(() => undefined)) ?? {}) as Problem;
  // Somebody else may have undone the list since. A conflict with a notice means that one of its requests is unfinished.
  if (answer.status === 409 && problem.notice === undefined) return location.reload();
  const reason = refusalReason(problem, text, () => undefined);
  say(reason === "" ? text("form.failed") : text("form.refused", { reason }));
});

/** Waits until the requests are applied, then reloads the page. */
async function tellUndone({ requestIds, held }: { requestIds: number[]; held: boolean }): Promise<void> {
  if (held) {
    const link = document.createElement("a");
    link.href = heldAddress;
    link.textContent = text("lists.held");
    element("#outcome").replaceChildren(link);
    return link.focus();
  }
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
    const results = requestIds.map((id) =>
      readJson<{ status: string }>(`${base}/items-result/${id}?excludeItemResults=true`).catch(() => undefined),
    );
    if ((await Promise.all(results)).every((result) => result?.status === "COMPLETED")) break;
    await wait(POLL_INTERVAL_MS);
  }
  location.reload();
}

enableButtons();
