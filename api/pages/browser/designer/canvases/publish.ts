import { element } from "../../call.ts";
import { isConfirmed } from "../../confirm.ts";
import { type Notice, type Problem, refusalReason } from "../../notice-text.ts";
import type { Texts } from "../../texts.ts";
import type { Document } from "./document/document.ts";
import type { EditorData } from "./editor-data.ts";

/** What a replacement would make worse. */
interface Replacement {
  labels: number;
  drawn: number;
  worse: number;
  examples: readonly { barcode: string; told: readonly string[] }[];
}

interface Saved {
  replacement?: Replacement;
}

/** Publishes the design once its effect was counted; more labels with problems stop it unless it is forced. */
export function openPublishing(data: EditorData, document: Document, text: Texts): void {
  const state = element("#save-state");
  const dialog = element<HTMLDialogElement>("#publish-dialog");
  const [count, examples, force] = [element("#publish-count"), element("#publish-examples"), element("#publish-force")];
  const address = `${data.manage}/canvas-designs/${encodeURIComponent(data.canvasId)}`;
  let { tag } = data;

  const put = async (query: string): Promise<Response> => {
    const headers = { "content-type": "application/json", "if-match": tag };
    return fetch(`${address}${query}`, { method: "PUT", headers, body: JSON.stringify(document.edited.canvas) });
  };

  element("#publish").addEventListener("click", async () => {
    state.textContent = text("canvas.saving");
    const answer = await put("?dryRun=true&force=true").catch(() => undefined);
    if (!answer?.ok) return void (await refused(answer));
    state.textContent = "";
    const { replacement } = (await answer.json()) as Saved;
    showCount(replacement);
    if (await isConfirmed(dialog)) await publish((replacement?.worse ?? 0) > 0);
  });

  function showCount(replacement: Replacement | undefined): void {
    const { labels = 0, drawn = 0, worse = 0, examples: found = [] } = replacement ?? {};
    count.textContent = [
      text("canvas.checkResult", { count: labels }),
      worse > 0 ? text("canvas.checkWorse", { count: worse }) : text("canvas.checkGood", { count: drawn }),
    ].join(" ");
    count.dataset.worse = String(worse);
    const rows = found.map(({ barcode, told }) => {
      const row = globalThis.document.createElement("li");
      row.textContent = `${barcode}: ${told.join("; ")}`;
      return row;
    });
    examples.replaceChildren(...rows);
    force.textContent = text(worse > 0 ? "canvas.force" : "canvas.publish");
    force.classList.toggle("danger", worse > 0);
    force.classList.toggle("primary", worse === 0);
  }

  async function publish(isForced: boolean): Promise<void> {
    state.textContent = text("canvas.saving");
    const answer = await put(isForced ? "?force=true" : "").catch(() => undefined);
    if (!answer?.ok) return void (await refused(answer));
    tag = answer.headers.get("etag") ?? tag;
    state.textContent = text("canvas.published");
  }

  /** Says why the interface has not stored the design. */
  async function refused(answer: Response | undefined): Promise<void> {
    if (answer?.status === 412) {
      state.textContent = text("canvas.taken");
      return;
    }
    const problem = answer && ((await answer.json().catch(() => undefined)) as Faults | undefined);
    const faults = (problem?.errors ?? []).map(({ pointer, detail = "" }) => `${pointer} ${detail}`.trim());
    const reason = problem && (refusalReason(problem, text, () => undefined) || faults.join("; ") || problem.detail);
    state.textContent = reason ? text("canvas.refused", { reason }) : text("canvas.failed");
  }
}

interface Faults extends Omit<Problem, "errors"> {
  detail?: string;
  errors?: readonly { pointer: string; detail?: string; notice?: Notice }[];
}
