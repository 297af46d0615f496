import { element } from "../../../call.ts";
import type { Texts } from "../../../texts.ts";
import { make } from "../../make.ts";
import { type Document, layoutsOf } from "../document/document.ts";
import type { EditorData, TrialType } from "../editor-data.ts";
import { noticeLine } from "../panels/notice-lines.ts";
import { layoutFor } from "./fitting.ts";
import type { HardItem } from "./hard-items.ts";
import { isPreview, type Preview, type Previewing, type ShownNotice, type TrialItem } from "./preview.ts";

interface MatrixWorld {
  data: EditorData;
  document: Document;
  text: Texts;
  preview: Previewing;
  /** Opens a cell's item on its label in the editor. */
  open(type: TrialType, item: TrialItem): void;
}

export interface Matrix {
  /** Draws every cell again, a moment after the last change. */
  draw(items: readonly HardItem[]): void;
}

interface Cell {
  type: TrialType;
  hard: HardItem;
}

/** Cells that are drawn after each change, and how long after it, so that the picture in hand comes first. */
const MAX_CELLS = 60;
const PAUSE_MS = 500;

const ranks: Readonly<Record<string, number>> = { fault: 0, error: 1, warning: 2, fine: 3 };

/** The worst of what a picture reports. */
export const worstOf = (notices: readonly ShownNotice[]): string =>
  ["fault", "error", "warning"].find((level) => notices.some((notice) => notice.level === level)) ?? "fine";

/** The hardest items on every label type of a design, as pictures, with those that have problems first. */
export function openMatrix(world: MatrixWorld): Matrix {
  const { document, text } = world;
  const [list, state] = [element("#matrix"), element("#matrix-state")];
  let run = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function drawAll(items: readonly HardItem[], signal: AbortSignal): Promise<void> {
    const layouts = layoutsOf(document.edited.canvas);
    const types = chosenTypes(world.data.types.filter((type) => layoutFor(layouts, type) !== undefined));
    const cells = types.flatMap((type) => items.map((hard): Cell => ({ type, hard }))).slice(0, MAX_CELLS);
    if (cells.length === 0) {
      list.replaceChildren();
      state.textContent = text("canvas.matrixNone");
      return;
    }
    const drawn: { rank: number; row: HTMLElement }[] = [];
    for (const [at, cell] of cells.entries()) {
      const { canvas } = document.edited;
      const answer = await world.preview({ canvas, labelType: cell.type.type, item: cell.hard.item }, signal);
      if (signal.aborted) return;
      if (!isPreview(answer)) return;
      drawn.push({ rank: ranks[worstOf(answer.notices)] ?? 3, row: rowOf(cell, answer) });
      state.textContent = text("canvas.matrixBusy", { done: at + 1, count: cells.length });
    }
    const bad = drawn.filter(({ rank }) => rank < 3).length;
    list.replaceChildren(...drawn.toSorted((one, other) => one.rank - other.rank).map(({ row }) => row));
    list.dataset.drawn = String(drawn.length);
    state.textContent =
      bad > 0 ? text("canvas.matrixBad", { count: bad }) : text("canvas.matrixGood", { count: drawn.length });
  }

  function rowOf({ type, hard }: Cell, preview: Preview): HTMLElement {
    const worst = worstOf(preview.notices);
    const why = hard.why ? text(`canvas.reason.${hard.why}`) : (hard.item.itemName ?? hard.item.itemId);
    const picture = make("img", {
      class: "pixels",
      src: `data:image/png;base64,${preview.png}`,
      ...{ width: preview.width, height: preview.height, alt: `${type.type}: ${why}` },
    });
    const notices = [...new Set(preview.notices.map((notice) => noticeLine(notice, text)))];
    const mark = { OK: "fine", PENDING: "warning" } as const;
    const level = worst === mark.OK ? "OK" : worst === mark.PENDING ? "PENDING" : "ERROR";
    const open = make(
      "button",
      { type: "button", title: notices.join("\n") },
      make("span", { class: "cell-picture" }, picture),
      make("span", { class: "cell-why" }, why),
      make("span", { class: "muted cell-type" }, `${type.type}`),
      make("span", { class: "state", "data-state": level }, text(`canvas.${worst}`)),
    );
    open.addEventListener("click", () => world.open(type, hard.item));
    return make("li", { "data-worst": worst }, open);
  }

  return {
    draw(items) {
      clearTimeout(timer);
      run.abort();
      run = new AbortController();
      const { signal } = run;
      timer = setTimeout(() => void drawAll(items, signal).catch((error) => fail(error, signal)), PAUSE_MS);
    },
  };

  function fail(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    state.textContent = text("canvas.failed");
    throw error;
  }
}

/** The label types that the rules can show the design on, or all if there are none yet. */
function chosenTypes(types: readonly TrialType[]): readonly TrialType[] {
  const shown = types.filter(({ isShown }) => isShown);
  return shown.length > 0 ? shown : types;
}
