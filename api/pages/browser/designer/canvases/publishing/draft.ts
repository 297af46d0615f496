import { element } from "../../../call.ts";
import { type Notice, type Problem, refusalReason } from "../../../notice-text.ts";
import type { Texts } from "../../../texts.ts";
import type { Document } from "../document/document.ts";
import type { EditorData } from "../editor-data.ts";

/** An error response, with the English sentences of its faults. */
interface Refusal extends Omit<Problem, "errors"> {
  detail?: string;
  errors?: readonly Finding[];
}

/** A fault of a draft, by its place in the design. */
interface Finding {
  pointer: string;
  detail?: string;
  notice?: Notice;
}

export interface Draft {
  /** Saves the design as a draft; false if the interface has not. */
  save(): Promise<boolean>;
  say(content: string): void;
  /** Says why the interface rejected a call. */
  refuse(answer: Response | undefined): Promise<void>;
  /** The entity tag of the draft; undefined if there is none. */
  tag(): string | undefined;
}

/** Saves the design as a draft: no label shows it before it is published. */
export function openDraft(data: EditorData, document: Document, text: Texts): Draft {
  const state = element("#save-state");
  const address = `${data.manage}/canvas-designs/${encodeURIComponent(data.canvasId)}/draft`;
  let tag = data.draftTag;
  let saved = document.edited.canvas;
  const say = (content: string) => {
    state.textContent = content;
  };

  async function refuse(answer: Response | undefined): Promise<void> {
    if (answer?.status === 412) return say(text("canvas.taken"));
    const problem = answer && ((await answer.json().catch(() => undefined)) as Refusal | undefined);
    const reason = problem && (refusalReason(problem, text, () => undefined) || sentencesOf(problem));
    say(reason ? text("canvas.refused", { reason }) : text("canvas.failed"));
  }

  async function save(): Promise<boolean> {
    const { canvas } = document.edited;
    say(text("canvas.saving"));
    const headers = { "content-type": "application/json", ...(tag !== undefined && { "if-match": tag }) };
    const body = JSON.stringify({ content: canvas });
    const answer = await fetch(address, { method: "PUT", headers, body }).catch(() => undefined);
    if (!answer?.ok) {
      await refuse(answer);
      return false;
    }
    tag = answer.headers.get("etag") ?? undefined;
    saved = canvas;
    const { errors } = (await answer.json()) as { errors: readonly Finding[] };
    say(errors.length > 0 ? text("canvas.draftFaults", { reason: sentencesOf({ errors }) }) : text("canvas.saved"));
    return true;
  }

  const isSaved = () => saved === document.edited.canvas;
  document.follow((what) => what === "design" && !isSaved() && say(text("canvas.unsaved")));
  addEventListener("beforeunload", (event) => {
    if (!isSaved()) event.preventDefault();
  });
  element("#save").addEventListener("click", () => void save());
  return { save, say, refuse, tag: () => tag };
}

const sentencesOf = ({ errors = [], detail = "" }: Pick<Refusal, "errors" | "detail">): string =>
  errors.map((fault) => `${fault.pointer} ${fault.detail ?? ""}`.trim()).join("; ") || detail;
