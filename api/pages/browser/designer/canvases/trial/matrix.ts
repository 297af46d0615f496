import { element } from "../../../call.ts";
import type { HardItem } from "../../../shared/hard-items.ts";
import type { Texts } from "../../../texts.ts";
import { make } from "../../make.ts";
import type { Document } from "../document/document.ts";
import type { EditorData, TrialType } from "../editor-data.ts";
import { noticeLine } from "../panels/notice-lines.ts";
import { typesToTry } from "./fitting.ts";
import { latest } from "./latest.ts";
import { worstOf } from "./pair.ts";
import type { DrawnCell, Preview, PreviewingMany, TrialItem } from "./preview-shapes.ts";

interface MatrixWorld {
  data: EditorData;
  document: Document;
  text: Texts;
  preview: PreviewingMany;
  /** Opens a cell's item on its label in the editor. */
  open(type: TrialType, item: TrialItem): void;
}

export interface Matrix {
  /** Redraws every cell, a moment after the last change. */
  draw(items: readonly HardItem<TrialItem>[]): void;
}

interface Cell {
  type: TrialType;
  hard: HardItem<TrialItem>;
}

/** Maximum number of cells that are redrawn, and the delay after a change, so that the edited picture comes first. */
const MAX_CELLS = 60;
const PAUSE_MS = 500;

const ranks = { fault: 0, error: 1, warning: 2, fine: 3 };

/** Shows the hardest items on every label type of a design as pictures, problems first. */
export function openMatrix(world: MatrixWorld): Matrix {
  const { document, text } = world;
  const [list, state] = [element("#matrix"), element("#matrix-state")];
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** One call at a time, so that the process can draw the edited picture in between. */
  const drawAll = latest(async (items: readonly HardItem<TrialItem>[]) => {
    const { canvas } = document.edited;
    const types = typesToTry(canvas, world.data.types, Math.floor(MAX_CELLS / items.length));
    if (types.length === 0) {
      list.replaceChildren();
      state.textContent = text("canvas.matrixNone");
      return;
    }
    state.textContent = text("canvas.matrixBusy", { count: types.length * items.length });
    const order = { canvas, labelTypes: types.map(({ type }) => type), items: items.map(({ item }) => item) };
    const answer = await world.preview(order).catch(() => undefined);
    if (answer === undefined) {
      state.textContent = text("canvas.failed");
      return;
    }
    if ("previews" in answer) show(types, items, answer.previews);
    // If a design cannot be drawn at all, the reason is shown below the edited picture.
    else state.textContent = "";
  });

  /** Shows the pictures, problems first, in the order of types and items. */
  function show(
    types: readonly TrialType[],
    items: readonly HardItem<TrialItem>[],
    previews: readonly DrawnCell[],
  ): void {
    const drawn = types.flatMap((type) =>
      items.flatMap((hard, index) => {
        const found = previews.find((one) => one.labelType === type.type && one.itemIndex === index);
        return found ? [{ rank: ranks[worstOf(found.notices)], row: rowOf({ type, hard }, found) }] : [];
      }),
    );
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
      timer = setTimeout(() => drawAll(items), PAUSE_MS);
    },
  };
}
