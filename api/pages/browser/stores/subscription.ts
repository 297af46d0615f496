import { call, element, enableButtons, fieldNamesIn } from "../call.ts";
import { isConfirmed } from "../confirm.ts";
import { look } from "../live-page.ts";
import { type Problem, refusalReason } from "../notice-text.ts";
import { textsIn } from "../texts.ts";

const page = element("#subscription");
const { address = "", back = "" } = page.dataset;
const text = textsIn(page);
/** Polling interval of the deliveries. */
const LOOK_INTERVAL_MS = 5_000;

const acts: Record<string, (letter?: string) => Promise<Response | undefined>> = {
  resume: () => call("PATCH", address, {}),
  test: () => call("POST", `${address}/test`),
  replay: (letter) => call("POST", `${address}/replay`, letter === undefined ? undefined : { deadLetterIds: [letter] }),
  remove: async () => ((await isConfirmed(element("#remove-dialog"))) ? call("DELETE", address) : undefined),
};

page.addEventListener("click", async ({ target }) => {
  const button = (target as HTMLElement).closest<HTMLButtonElement>("button[data-act]");
  const { act = "", letter } = button?.dataset ?? {};
  const run = acts[act];
  if (button === null || run === undefined) return;
  const outcome = element("#outcome");
  button.disabled = true;
  const answer = await run(letter).catch(() => Response.error());
  button.disabled = false;
  if (answer === undefined) return;
  if (!answer.ok) return sayRefused(answer);
  if (act === "remove") return location.assign(back);
  if (act === "resume") return location.reload();
  if (act === "test") outcome.textContent = text("subscription.tested");
  if (act === "replay") {
    const { replayed } = (await answer.json()) as { replayed: number };
    outcome.textContent = text("dead.replayed", { count: replayed });
    // The list is replaced, and the focus would be lost with it.
    outcome.focus();
  }
  void look();
});

async function sayRefused(answer: Response): Promise<void> {
  const problem = ((await answer.json().catch(() => undefined)) ?? {}) as Problem;
  const reason = refusalReason(problem, text, fieldNamesIn(page));
  element("#outcome").textContent = reason === "" ? text("form.failed") : text("form.refused", { reason });
}

document.querySelector<HTMLFormElement>("#address-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const url = String(new FormData(event.currentTarget as HTMLFormElement).get("url")).trim();
  const answer = await call("PATCH", address, { url }).catch(() => Response.error());
  if (!answer.ok) return sayRefused(answer);
  // The subscription's name occurs in many places on the page.
  location.reload();
});

setInterval(() => {
  if (!document.hidden) void look();
}, LOOK_INTERVAL_MS);

enableButtons();
