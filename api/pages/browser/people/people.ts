import { call, element, enableButtons, fieldNamesIn } from "../call.ts";
import { isConfirmed } from "../confirm.ts";
import { type Problem, refusalReason } from "../notice-text.ts";
import { textsIn } from "../texts.ts";
import type * as Qr from "../vendor/qr.ts";

const part = element("#people");
const form = element<HTMLFormElement>("#invite");
const { list = "", originPath = "" } = part.dataset;
const text = textsIn(part);
/** White margin around a QR code, in modules, as scanners require. */
const QUIET_ZONE = 4;

/** Makes a call; if it is rejected, shows why and returns nothing. */
async function attempt(outcome: HTMLElement, method: string, path: string, body?: unknown) {
  outcome.textContent = text("form.saving");
  const answer = await call(method, `${list}/${path}`, body).catch(() => undefined);
  if (answer?.ok) return answer;
  const problem = ((await answer?.json().catch(() => undefined)) ?? {}) as Problem;
  const reason = refusalReason(problem, text, fieldNamesIn(form));
  outcome.textContent = reason === "" ? text("form.failed") : text("form.refused", { reason });
  return undefined;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = new FormData(form);
  const stores = data.has("allStores") ? "*" : data.getAll("stores").map(String);
  const userName = String(data.get("userName")).trim();
  const outcome = element("#invite-outcome");
  if (stores.length === 0) {
    outcome.textContent = text("people.chooseStore");
    return;
  }
  const order = { stores, role: data.get("role") };
  const answer = await attempt(outcome, "POST", `${encodeURIComponent(userName)}/invitation`, order);
  if (answer === undefined) return;
  const { path = "" } = (await answer.json()) as { path?: string };
  outcome.textContent = text("people.madeLink");
  await showLink(`${location.origin}${originPath}${path}`);
});

/** Shows the link, which cannot be shown again, as text and as a QR code for a phone. */
async function showLink(link: string): Promise<void> {
  const shown = element("#invitation");
  element("#invitation code").textContent = link;
  shown.hidden = false;
  const { generate } = (await import("../vendor/qr.js")) as typeof Qr;
  generate(link).toCanvas(element<HTMLCanvasElement>("#invitation canvas"), {
    on: [0, 0, 0],
    off: [255, 255, 255],
    pad: QUIET_ZONE,
  });
}

const acts = {
  sessions: { path: (name: string) => `${name}/sessions`, what: "people.sureSessions" },
  remove: { path: (name: string) => name, what: "user.removeWhat" },
} as const;

for (const button of part.querySelectorAll<HTMLButtonElement>("button[data-act]"))
  button.addEventListener("click", async () => {
    const { path, what } = acts[button.dataset.act as keyof typeof acts];
    const dialog = element<HTMLDialogElement>("#sure");
    element("#sure strong").textContent = button.dataset.name ?? "";
    element("#sure p:last-of-type").textContent = text(what);
    if (!(await isConfirmed(dialog))) return;
    const name = encodeURIComponent(button.dataset.name ?? "");
    if ((await attempt(element("#outcome"), "DELETE", path(name))) !== undefined) location.reload();
  });

enableButtons();
