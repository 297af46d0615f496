import type { CanvasDesign, LayoutElement } from "../../../../../../schemas/canvas.ts";
import { elementAt, isSame, type Layout, type Path } from "./elements.ts";
import { begin, type History, record, redo, undo } from "./history.ts";

export type Canvas = Omit<CanvasDesign, "deleted">;

/** Whether a draft, which may be incomplete, has all the fields that the editor shows for every design. */
export function isDrawable(content: unknown): content is Canvas {
  const { name, width, height, elements } = content as Partial<Canvas>;
  return typeof name === "string" && Number.isInteger(width) && Number.isInteger(height) && Array.isArray(elements);
}

/** A design in the editor, its displayed layout, and the elements selected in this layout. */
export interface Edited {
  canvas: Canvas;
  /** The displayed layout: 0 is the design's own, the others are its variants. */
  layout: number;
  selection: readonly Path[];
}

/** Returns the layouts of a design: its own, then its variants. */
export const layoutsOf = ({ variants = [], ...own }: Canvas): Layout[] => [own, ...variants];

/** Returns the JSON pointer to an element in a layout. */
export const pointerTo = (layout: number, path: Path): string =>
  `${layout === 0 ? "" : `/variants/${layout - 1}`}${path.map((index) => `/elements/${index}`).join("")}`;

/** Returns the layout and the place that a JSON pointer names; undefined if it names no element. */
export function placeOf(pointer: string): { layout: number; path: Path } | undefined {
  const [, variant, elements] = /^(?:\/variants\/(\d+))?((?:\/elements\/\d+)+)/.exec(pointer) ?? [];
  if (elements === undefined) return undefined;
  const path = [...elements.matchAll(/\d+/g)].map(([index]) => Number(index));
  return { layout: variant === undefined ? 0 : Number(variant) + 1, path };
}

/** Returns a design with one of its layouts replaced. */
function withLayout(canvas: Canvas, index: number, layout: Layout): Canvas {
  const { width, height, background, elements, rotate, labelTypes } = layout;
  const made = {
    ...{ width, height, background, elements },
    ...(rotate !== undefined && { rotate }),
    ...(labelTypes && { labelTypes }),
  };
  if (index > 0)
    return { ...canvas, variants: (canvas.variants ?? []).map((one, at) => (at === index - 1 ? made : one)) };
  const { rotate: _, labelTypes: __, ...rest } = canvas;
  return { ...rest, ...made };
}

/** The editor's document: changes it, and notifies followers. */
export interface Document {
  readonly edited: Edited;
  readonly layout: Layout;
  /** The selected elements that exist. */
  readonly selected: readonly { path: Path; element: LayoutElement }[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Changes the design; successive changes with the same name are one step of undo. */
  change(next: Partial<Edited>, name?: string): void;
  changeLayout(layout: Layout, selection?: readonly Path[], name?: string): void;
  select(paths: readonly Path[]): void;
  show(layout: number): void;
  undo(): void;
  redo(): void;
  follow(listener: (what: "design" | "selection") => void): void;
}

/** Opens a design in the editor. Selections are not steps in its history. */
export function openDocument(canvas: Canvas): Document {
  let history: History<Edited> = begin({ canvas, layout: 0, selection: [] });
  const listeners: ((what: "design" | "selection") => void)[] = [];
  const tell = (what: "design" | "selection") => {
    for (const listener of listeners) listener(what);
  };
  const step = (next: History<Edited>) => {
    if (next.present === history.present) return;
    history = next;
    tell("design");
  };
  const layoutNow = (): Layout => {
    const { canvas, layout } = history.present;
    return layoutsOf(canvas)[layout] ?? canvas;
  };
  const document: Document = {
    get edited() {
      return history.present;
    },
    get layout() {
      return layoutNow();
    },
    get selected() {
      return history.present.selection.flatMap((path) => {
        const element = elementAt(layoutNow(), path);
        return element ? [{ path, element }] : [];
      });
    },
    get canUndo() {
      return history.past.length > 0;
    },
    get canRedo() {
      return history.future.length > 0;
    },
    change: (next, name) => step(record(history, { ...history.present, ...next }, name)),
    changeLayout(layout, selection = history.present.selection, name) {
      const { canvas, layout: index } = history.present;
      document.change({ canvas: withLayout(canvas, index, layout), selection }, name);
    },
    select(paths) {
      const { selection } = history.present;
      if (paths.length === selection.length && paths.every((path, at) => isSame(path, selection[at] ?? []))) return;
      history = { ...history, present: { ...history.present, selection: paths }, last: undefined };
      tell("selection");
    },
    show(layout) {
      history = { ...history, present: { ...history.present, layout, selection: [] }, last: undefined };
      tell("design");
    },
    undo: () => step(undo(history)),
    redo: () => step(redo(history)),
    follow: (listener) => void listeners.push(listener),
  };
  return document;
}
