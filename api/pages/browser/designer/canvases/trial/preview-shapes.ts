import type { ItemRow } from "../../../items/columns.ts";
import type { Notice } from "../../../notice-text.ts";
import type { Area } from "../document/areas.ts";
import type { Canvas } from "../document/document.ts";

export interface ShownNotice extends Notice {
  level: "fault" | "error" | "warning";
  reason?: Notice;
  text: string;
  element?: string;
}

export interface ShownElement {
  element: string;
  box: Area;
  drawn?: Area;
  size?: number;
  lines?: number;
  digitHeight?: number;
  isCut: boolean;
}

/** A response to a preview. */
export interface Preview {
  png: string;
  width: number;
  height: number;
  fault: string | null;
  notices: readonly ShownNotice[];
  elements: readonly ShownElement[];
}

/** An item in a trial: the fields that a design can show. */
export type TrialItem = Readonly<Omit<ItemRow, "sics">>;

export interface PreviewOrder {
  canvas: Canvas;
  labelType: number;
  item: TrialItem;
  colors?: "pure" | "measured";
}

/** A design with several items on several label types. */
export interface MatrixOrder {
  canvas: Canvas;
  labelTypes: readonly number[];
  items: readonly TrialItem[];
}

/** A picture of a matrix: the index of its item, and its label type. */
export type DrawnCell = Preview & { itemIndex: number; labelType: number };

/** Why a design could not be previewed: its structural faults, each with its place. */
export interface Refusal {
  errors: readonly { pointer: string; detail: string }[];
}

export type Previewing = (order: PreviewOrder, signal?: AbortSignal) => Promise<Preview | Refusal>;

export type PreviewingMany = (order: MatrixOrder) => Promise<{ previews: readonly DrawnCell[] } | Refusal>;

export const isPreview = (answer: Preview | Refusal): answer is Preview => "png" in answer;
