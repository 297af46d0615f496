import { type Arrival, arrivalOf, type Explained } from "./arrival.ts";
import { call, element, enableButtons, fieldNamesIn, wait } from "./call.ts";
import { isConfirmed } from "./confirm.ts";
import { look } from "./live-page.ts";
import { refusalReason, rowReason } from "./notice-text.ts";
import { isMeant, noPrice, priceIn, shownPrice, showPrice } from "./prices/price-field.ts";
import { outcomesOf } from "./requests.ts";
import { outcomeOf } from "./shelf/act-outcome.ts";
import { textsIn } from "./texts.ts";

const { base = "", barcode = "" } = element("[data-base]").dataset;
const label = `${base}/labels/${encodeURIComponent(barcode)}`;
const LOOK_INTERVAL_MS = 500;
/** After this time, the page says that the label is taking longer than usual, and polls less often. */
const PATIENCE_MS = 60_000;
const LATE_INTERVAL_MS = 5_000;

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
  if (button.dataset.act === "unlink" && !(await isConfirmed(element("#unlink-dialog")))) return;
  const outcome = element("#act-outcome");
  outcome.textContent = "";
  button.disabled = true;
  const answer = await act().catch(() => undefined);
  button.disabled = false;
  outcome.textContent = (await textOf(answer, button)) ?? "";
  void look();
});

/** Returns the message about an action: what was done, or why it was not. */
async function textOf(answer: Response | undefined, button: HTMLElement): Promise<string | undefined> {
  const { failed, unsupported, unreachable, later } = element("#acts").dataset;
  if (!answer?.ok) return failed;
  const { result } = (await answer.json().catch(() => ({}))) as { result?: string };
  const isHeard = element("#state").dataset.state !== "OFFLINE";
  const outcome = outcomeOf(true, result, isHeard);
  return { ...{ unsupported, unreachable, later, refused: failed }, done: button.dataset.done }[outcome];
}

const priceForm = document.querySelector<HTMLFormElement>("#price-form");
if (priceForm !== null) offerPrice(priceForm);

/** Sends a valid and confirmed price, and reports its progress. */
function offerPrice(form: HTMLFormElement): void {
  const text = textsIn(form);
  const { item = "" } = form.dataset;
  const field = element<HTMLInputElement>("#price-form [name=price]");
  const say = (said: string) => {
    element("#price-outcome").textContent = said;
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const price = priceIn(field);
    if (price === undefined) return say(noPrice(field));
    const present = priceOf(await explain(), item);
    if (!(await isMeant(present ?? field.dataset.price ?? "", price))) return say(text("price.kept"));
    say(text("price.sent"));
    const answered = await outcomesOf(base, () =>
      call("PATCH", `${base}/items/${encodeURIComponent(item)}`, { price }),
    ).catch(() => undefined);
    const [outcome] = answered?.outcomes ?? [];
    if (!outcome?.status.startsWith("SUCCESS")) {
      const { refusal } = answered ?? {};
      const reason = refusal
        ? refusalReason(refusal, text, fieldNamesIn(form))
        : outcome
          ? rowReason(outcome, text)
          : "";
      return say(reason === "" ? text("act.failed") : text("item.refused", { reason }));
    }
    showPrice(field, price);
    const arrived = await watch(item, price, () => say(text("price.waiting", { price: "" })));
    if (arrived === undefined) return;
    const [arrival, explained] = arrived;
    say(text(`price.${arrival}`, { price: shownPrice(priceOf(explained, item) ?? "") }));
    void look();
  });
}

let watches = 0;

/** Polls the label until its price has arrived, or cannot arrive. Returns undefined if another price is sent first. */
async function watch(item: string, price: string, onLate: () => void): Promise<[Arrival, Explained] | undefined> {
  watches += 1;
  const own = watches;
  const lateAt = performance.now() + PATIENCE_MS;
  let isLate = false;
  for (; own === watches; await wait(isLate ? LATE_INTERVAL_MS : LOOK_INTERVAL_MS)) {
    const explained = await explain();
    const arrival = explained && arrivalOf(explained, item, price);
    if (own === watches && arrival && arrival !== "waiting") return [arrival, explained];
    if (own !== watches || isLate || performance.now() < lateAt) continue;
    isLate = true;
    onLate();
  }
  return undefined;
}

async function explain(): Promise<Explained | undefined> {
  const answer = await call("GET", `${label}/explain`).catch(() => undefined);
  return answer?.ok ? ((await answer.json()) as Explained) : undefined;
}

const priceOf = (explained: Explained | undefined, itemId: string): string | null | undefined =>
  explained?.positions.find(({ item }) => item?.itemId === itemId)?.item?.price;

/** Removes a picture that is no longer stored. */
function hideLost(image: HTMLImageElement): void {
  if (image.matches(".then") && image.complete && image.naturalWidth === 0) image.hidden = true;
}
document.addEventListener("error", ({ target }) => hideLost(target as HTMLImageElement), { capture: true });
for (const image of document.querySelectorAll<HTMLImageElement>(".then")) hideLost(image);

enableButtons();
