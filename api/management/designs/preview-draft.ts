import type { CanvasDesign, LayoutElement } from "../../../schemas/canvas.ts";
import { notice } from "../../../schemas/drawing-notice.ts";
import { type PreviewNotice, previewNotice } from "../../../schemas/preview-element.ts";
import type { Fault } from "../../../schemas/problem.ts";

const ELEMENT = /^(?:\/variants\/\d+)?(?:\/elements\/\d+)+/;

/** A canvas that can be drawn, and the faults of the elements that were removed to make this possible. */
export interface Draft {
  canvas: CanvasDesign;
  /** Each fault of a removed element, with its place. */
  notices: PreviewNotice[];
  /** Faults that belong to no single element, so the canvas cannot be drawn. */
  faults: Fault[];
}

/** Replaces each element that has a fault with an empty box of the same area, so that all others can be drawn. */
export function draftOf(canvas: CanvasDesign, faults: readonly Fault[]): Draft {
  const draft: Draft = { canvas: structuredClone(canvas), notices: [], faults: [] };
  for (const fault of faults) {
    const [pointer] = ELEMENT.exec(fault.pointer) ?? [];
    if (pointer === undefined || !emptyAt(draft.canvas, pointer)) draft.faults.push(fault);
    else draft.notices.push(previewNotice("fault", notice("DESIGN_INVALID", { detail: fault.detail }), pointer));
  }
  return draft;
}

/** Returns the name of the element at a place, if it has one. */
export function nameAt(canvas: CanvasDesign, pointer: string): string | undefined {
  const element = at(canvas, pointer.split("/").slice(1)) as LayoutElement | undefined;
  return element?.name;
}

/** Empties the element at a place; false if there is none. */
function emptyAt(canvas: CanvasDesign, pointer: string): boolean {
  const steps = pointer.split("/").slice(1);
  const parent = at(canvas, steps.slice(0, -1));
  const index = Number(steps.at(-1));
  const element = Array.isArray(parent) ? (parent[index] as LayoutElement | undefined) : undefined;
  if (!Array.isArray(parent) || element === undefined) return false;
  const { x, y, width, height } = element;
  parent[index] = { kind: "box", x, y, width, height };
  return true;
}

const at = (canvas: CanvasDesign, steps: readonly string[]): unknown => steps.reduce<unknown>(partOf, canvas);

const partOf = (value: unknown, step: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[step] : undefined;
