import { call, element } from "../../../call.ts";
import { isConfirmed } from "../../../confirm.ts";
import type { Texts } from "../../../texts.ts";
import { make } from "../../make.ts";
import type { EditorData } from "../editor-data.ts";
import type { Draft } from "./draft.ts";

/** What a publication would change and make worse. */
interface Counts {
  labels: number;
  drawn: number;
  faulty: number;
  worse: number;
  blank: number;
  examples: readonly { barcode: string; told: readonly string[] }[];
}

interface Trial {
  counts: Counts;
  /** Why it is refused unless it is forced. */
  refusals: readonly string[];
}

/** Publishes the draft once its effect was counted, and takes the publication back. */
export function openPublishing(data: EditorData, draft: Draft, text: Texts): void {
  const dialog = element<HTMLDialogElement>("#publish-dialog");
  const [count, list, confirm] = [element("#publish-count"), element("#publish-examples"), element("#publish-force")];
  const [note, takeBack] = [element<HTMLInputElement>("#publish-note"), element<HTMLButtonElement>("#take-back")];
  const address = `${data.manage}/publications`;
  const drafts = ["canvas-designs", ...(data.hasDesignDraft ? ["designs"] : [])].map((subject) => ({
    subject,
    id: data.canvasId,
  }));
  let published: string | undefined;

  const order = (more: object) => {
    const reason = note.value.trim();
    return call("POST", address, { drafts, ...(reason !== "" && { note: reason }), ...more }).catch(() => undefined);
  };

  element("#publish").addEventListener("click", async () => {
    if (!(await draft.save())) return;
    const answer = await order({ dryRun: true });
    if (!answer?.ok) return draft.refuse(answer);
    const trial = (await answer.json()) as Trial;
    showTrial(trial);
    draft.say("");
    if (await isConfirmed(dialog)) await publish(trial.refusals.length > 0);
  });

  function showTrial({ counts, refusals }: Trial): void {
    const { labels, drawn, faulty, blank, worse, examples } = counts;
    const isStopped = refusals.length > 0;
    count.textContent = [
      text("canvas.checkResult", { count: labels }),
      ...(faulty + blank > 0 ? [text("canvas.checkFaulty", { count: faulty + blank })] : []),
      worse > 0 ? text("canvas.checkWorse", { count: worse }) : text("canvas.checkGood", { count: drawn }),
      ...(isStopped ? [text("canvas.checkStopped")] : []),
    ].join(" ");
    Object.assign(count.dataset, { faulty: String(faulty + blank), worse: String(worse) });
    list.replaceChildren(...examples.map(({ barcode, told }) => make("li", {}, `${barcode}: ${told.join("; ")}`)));
    confirm.textContent = text(isStopped ? "canvas.force" : "canvas.publish");
    confirm.classList.toggle("danger", isStopped);
    confirm.classList.toggle("primary", !isStopped);
  }

  async function publish(force: boolean): Promise<void> {
    draft.say(text("canvas.saving"));
    const answer = await order({ ...(force && { force }) });
    if (!answer?.ok) return draft.refuse(answer);
    ({ publicationId: published } = (await answer.json()) as { publicationId: string });
    note.value = "";
    takeBack.hidden = false;
    draft.say(text("canvas.published"));
  }

  takeBack.addEventListener("click", async () => {
    const answer = await call("POST", `${address}/${published}/roll-back`).catch(() => undefined);
    if (!answer?.ok) return draft.refuse(answer);
    takeBack.hidden = true;
    draft.say(text("canvas.takenBack"));
  });
}
