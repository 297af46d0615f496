import { element } from "../../../call.ts";
import { type Notice, type Problem, refusalReason } from "../../../notice-text.ts";
import type { Texts } from "../../../texts.ts";
import { askAboutConflict, type StoredDraft } from "../../publishing/conflict.ts";
import { type Canvas, type Document, isDrawable } from "../document/document.ts";
import type { EditorData } from "../editor-data.ts";

/** An error response, with the English sentences for its faults. */
interface Refusal extends Omit<Problem, "errors"> {
  detail?: string;
  errors?: readonly Finding[];
}

/** A fault in a draft, with its place in the design. */
interface Finding {
  pointer: string;
  detail?: string;
  notice?: Notice;
}

export interface Draft {
  /** Saves the design as a draft; false if the interface did not save it. */
  save(): Promise<boolean>;
  say(content: string): void;
  /** Records that the draft is live, so that the next save creates a new one. */
  published(): void;
  /** The entity tag of the draft; undefined if there is none. */
  tag(): string | undefined;
}

/**
 * Saves the design as a draft, which no label shows until it is published. `publishingText` has the words for a draft
 * that somebody else saved in the meantime.
 */
export function openDraft(data: EditorData, document: Document, text: Texts, publishingText: Texts): Draft {
  const state = element("#save-state");
  const address = `${data.manage}/canvas-designs/${encodeURIComponent(data.canvasId)}/draft`;
  let tag = data.draftTag;
  let saved = document.edited.canvas;
  let last = Promise.resolve(true);
  const say = (content: string) => {
    state.textContent = content;
  };

  /** Reports why the interface rejected the draft. */
  async function refuse(answer: Response | undefined): Promise<void> {
    const problem = answer && ((await answer.json().catch(() => undefined)) as Refusal | undefined);
    const reason = problem && (refusalReason(problem, text, () => undefined) || sentencesOf(problem));
    say(reason ? text("canvas.refused", { reason }) : text("canvas.failed"));
  }

  /** Returns the stored draft; undefined if there is none. */
  async function readStored(): Promise<StoredDraft<unknown> | undefined> {
    const answer = await fetch(address);
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw new Error(`${answer.status} of ${address}`);
    const { content, author } = (await answer.json()) as { content: unknown; author: string };
    return { content, author, tag: answer.headers.get("etag") ?? undefined };
  }

  /** Asks which draft to continue; undo shows the other one. */
  async function ask(): Promise<void> {
    say(text("canvas.unsaved"));
    const stored = await readStored();
    askAboutConflict(stored, publishingText, {
      theirs: isDrawable(stored?.content) ? theirs : undefined,
      mine(draft) {
        tag = draft?.tag;
        if (isDrawable(draft?.content)) keepInHistory(draft.content);
        void save();
      },
    });
  }

  function theirs({ content, tag: seen }: StoredDraft<unknown>): void {
    saved = content as Canvas;
    tag = seen;
    document.change({ canvas: saved, layout: 0, selection: [] });
    say(text("canvas.saved"));
  }

  /** The first undo then shows the other draft, and the second the user's own, as it was before. */
  function keepInHistory(other: Canvas): void {
    const { canvas, layout } = document.edited;
    document.change({ canvas: other, layout: 0, selection: [] });
    document.change({ canvas, layout, selection: [] });
  }

  /** Saves run one after another, because each checks that the stored draft is the result of the previous save. */
  function save(): Promise<boolean> {
    last = last.then(put, put);
    return last;
  }

  async function put(): Promise<boolean> {
    const { canvas } = document.edited;
    say(text("canvas.saving"));
    const headers = {
      "content-type": "application/json",
      [tag === undefined ? "if-none-match" : "if-match"]: tag ?? "*",
    };
    const body = JSON.stringify({ content: canvas });
    const answer = await fetch(address, { method: "PUT", headers, body }).catch(() => undefined);
    if (!answer?.ok) {
      await (answer?.status === 412 ? ask().catch(() => say(text("canvas.failed"))) : refuse(answer));
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
  const published = () => {
    tag = undefined;
  };
  return { save, say, published, tag: () => tag };
}

const sentencesOf = ({ errors = [], detail = "" }: Pick<Refusal, "errors" | "detail">): string =>
  errors.map((fault) => `${fault.pointer} ${fault.detail ?? ""}`.trim()).join("; ") || detail;
