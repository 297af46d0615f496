import { call, element, enableButtons, wait } from "./call.ts";
import { look } from "./live.ts";

const { base = "", barcode = "" } = element("[data-base]").dataset;
const label = `${base}/labels/${encodeURIComponent(barcode)}`;
const LOOK_INTERVAL_MS = 500;
/** After this time the page says that the label takes its time, and goes on to look. */
const PATIENCE_MS = 60_000;

const acts: Record<string, () => Promise<Response>> = {
  flash: () => call("POST", `${label}/flash`, { duration: 8 }),
  refresh: () => call("POST", `${label}/refresh`),
  info: () => call("POST", `${label}/display-page`, { duration: 30 }),
  unlink: () => call("DELETE", `${label}/links`),
};

document.querySelector("#acts")?.addEventListener("click", async ({ target }) => {
  const button = (target as HTMLElement).closest<HTMLButtonElement>("button[data-act]");
  const act = acts[button?.dataset.act ?? ""];
  if (button === null || act === undefined) return;
  if (button.dataset.act === "unlink" && !(await isConfirmed())) return;
  const outcome = element("#act-outcome");
  outcome.textContent = "";
  button.disabled = true;
  const answer = await act().catch(() => undefined);
  button.disabled = false;
  outcome.textContent = (await textOf(answer, button)) ?? "";
  void look();
});

/** What is said of an action: what was done, or why not. */
async function textOf(answer: Response | undefined, button: HTMLElement): Promise<string | undefined> {
  const { failed, unsupported, unreachable } = element("#acts").dataset;
  if (!answer?.ok) return failed;
  const { result } = (await answer.json().catch(() => ({}))) as { result?: string };
  if (result === "UNSUPPORTED") return unsupported;
  return result === "UNREACHABLE" ? unreachable : button.dataset.done;
}

function isConfirmed(): Promise<boolean> {
  const dialog = element<HTMLDialogElement>("#unlink-dialog");
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((done) =>
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true }),
  );
}

document.querySelector<HTMLFormElement>("#price-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.currentTarget as HTMLFormElement;
  const { item = "", sent, arrived, waiting, failed } = form.dataset;
  const outcome = element("#price-outcome");
  const price = String(new FormData(form).get("price") ?? "").trim();
  const before = await shownNow();
  const begun = performance.now();
  const answer = await call("PATCH", `${base}/items/${encodeURIComponent(item)}`, { price }).catch(() => undefined);
  if (!answer?.ok) {
    outcome.textContent = failed ?? "";
    return;
  }
  outcome.textContent = sent ?? "";
  while (performance.now() - begun < PATIENCE_MS) {
    await wait(LOOK_INTERVAL_MS);
    const now = await shownNow();
    if (now !== undefined && now !== before) {
      outcome.textContent = arrived ?? "";
      break;
    }
  }
  if (outcome.textContent !== arrived) outcome.textContent = waiting ?? "";
  void look();
});

/** The picture that the label has acknowledged; undefined while a newer one is under way. */
async function shownNow(): Promise<string | undefined> {
  const answer = await call("GET", `${label}/explain`).catch(() => undefined);
  if (!answer?.ok) return undefined;
  const { glass, cause } = (await answer.json()) as { glass: { image: string }[]; cause: string };
  return cause === "UP_TO_DATE" ? glass[0]?.image : undefined;
}

/** Takes a picture away that is not kept any more. */
function hideLost(image: HTMLImageElement): void {
  if (image.matches(".then") && image.complete && image.naturalWidth === 0) image.hidden = true;
}
document.addEventListener("error", ({ target }) => hideLost(target as HTMLImageElement), { capture: true });
for (const image of document.querySelectorAll<HTMLImageElement>(".then")) hideLost(image);

enableButtons();
