import { element } from "../../../call.ts";
import { newKey } from "../../../new-key.ts";
import { readJson } from "../../../read-all.ts";
import type { Texts } from "../../../texts.ts";
import { make } from "../../make.ts";
import type { EditorData } from "../editor-data.ts";
import type { Draft } from "./draft.ts";

interface Version {
  number: number;
  author: string | null;
  note: string | null;
  at: string;
}

const LISTED = 50;

/** The versions of the design, newest first; each becomes the draft again. */
export function openVersions(data: EditorData, draft: Draft, text: Texts & { language: string }): void {
  const [dialog, list] = [element<HTMLDialogElement>("#versions-dialog"), element("#versions-list")];
  const address = `${data.manage}/canvas-designs/${encodeURIComponent(data.canvasId)}/versions`;
  const time = new Intl.DateTimeFormat(text.language, { dateStyle: "medium", timeStyle: "short" });

  element("#versions").addEventListener("click", async () => {
    const found = await readJson<Version[]>(`${address}?limit=${LISTED}`).catch((): Version[] => []);
    list.replaceChildren(...(found.length > 0 ? found.map(row) : [make("li", {}, text("canvas.versionsNone"))]));
    dialog.showModal();
  });

  function row({ number, author, note, at }: Version): HTMLElement {
    const said = text("canvas.versionRow", { number, author: author ?? "–", time: time.format(new Date(at)) });
    const button = make("button", { type: "button" }, text("canvas.restore"));
    button.setAttribute("aria-label", `${text("canvas.restore")} ${said}`);
    button.disabled = !data.mayWrite;
    button.addEventListener("click", () => void restore(number));
    return make("li", {}, make("span", {}, said, make("span", { class: "muted" }, note ?? "")), button);
  }

  async function restore(number: number): Promise<void> {
    const tag = draft.tag();
    const headers = { "idempotency-key": newKey(), ...(tag !== undefined && { "if-match": tag }) };
    const answer = await fetch(`${address}/${number}/restore`, { method: "POST", headers }).catch(() => undefined);
    dialog.close();
    if (!answer?.ok) return draft.refuse(answer);
    draft.say(text("canvas.restored"));
    location.reload();
  }
}
