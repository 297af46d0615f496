import { call, element } from "../call.ts";
import { isConfirmed } from "../confirm.ts";
import { type ActOutcome, notDone, outcomeOf, toldOutcomes } from "./act-outcome.ts";

/** Number of concurrent calls; more would gain nothing, since a store's label servers process labels one after another. */
const CALLS_AT_ONCE = 4;

const requests: Record<string, (label: string) => Promise<Response>> = {
  flash: (label) => call("POST", `${label}/flash`, { duration: 15 }),
  refresh: (label) => call("POST", `${label}/refresh`),
  info: (label) => call("POST", `${label}/display-page`, { duration: 30 }),
  unlink: (label) => call("DELETE", `${label}/links`),
};

interface ActsWorld {
  base: string;
  selected(): readonly string[];
  counted(key: string, count: number): string;
  /** Whether a label was heard from recently. */
  isHeard(barcode: string): boolean;
  say(text: string): void;
  /** Offers to select the labels for which the action was not done. */
  offerRest(barcodes: readonly string[]): void;
}

/** The actions on the selected labels: each one first names the affected labels, shows its progress, and can be stopped. */
export function offerActs({ base, selected, counted, isHeard, say, offerRest }: ActsWorld): void {
  const bar = element<HTMLProgressElement>("#bar");
  let isStopped = false;
  element("#stop").addEventListener("click", () => {
    isStopped = true;
  });
  element("#acts").addEventListener("click", async ({ target }) => {
    const act = (target as HTMLElement).closest<HTMLElement>("button[data-act]")?.dataset.act ?? "";
    const request = requests[act];
    const barcodes = selected();
    if (request === undefined || barcodes.length === 0) return;
    element("#confirm-text").textContent = counted(`confirm.${act}`, barcodes.length);
    if (!(await isConfirmed(element("#confirm")))) return;
    isStopped = false;
    setBusy(true);
    let next = 0;
    const found = new Map<string, ActOutcome>();
    const work = async () => {
      while (!isStopped && next < barcodes.length) {
        const barcode = barcodes[next++] ?? "";
        const answer = await request(`${base}/labels/${encodeURIComponent(barcode)}`).catch(() => undefined);
        const { result } = answer?.ok ? await resultOf(answer) : {};
        found.set(barcode, outcomeOf(answer?.ok === true, result, isHeard(barcode)));
        bar.value = next / barcodes.length;
      }
    };
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
    setBusy(false);
    say(
      toldOutcomes([...found.values()], isStopped)
        .map(({ key, count }) => counted(key, count))
        .join(" "),
    );
    offerRest(notDone(barcodes, found));
  });
}

const resultOf = (answer: Response): Promise<{ result?: string }> => answer.json().catch(() => ({}));

function setBusy(isBusy: boolean): void {
  element("#progress").hidden = !isBusy;
  element("#acts").hidden = isBusy;
  element<HTMLProgressElement>("#bar").value = 0;
  if (isBusy) element("#stop").focus();
}
