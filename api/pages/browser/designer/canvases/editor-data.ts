import type { Canvas } from "./document/document.ts";
import type { FormField } from "./panels/form-field.ts";

/** A label type on which a design can be tried. */
export interface TrialType {
  type: number;
  width: number;
  height: number;
  colors: readonly string[];
  dpi: number;
  /** Whether the rules can show the design on it. */
  isShown: boolean;
}

type Rgb = readonly number[];

/** What the page passes to its script. */
export interface EditorData {
  canvasId: string;
  /** The design to edit: its draft, if it has one. */
  canvas: Canvas;
  /** The draft's tag, so that a save fails if somebody else has saved since; absent if there is no draft. */
  draftTag?: string;
  /** Whether the design that names the canvas design for the rules also has a draft, which is published with it. */
  hasDesignDraft: boolean;
  manage: string;
  base: string;
  storeId: string;
  mayWrite: boolean;
  types: readonly TrialType[];
  /** The fields of each kind of element, and of a layout. */
  fields: Readonly<Record<string, readonly FormField[]>>;
  /** Each colour as stored in image files, and as shown by e-paper. */
  measured: Readonly<Record<string, readonly [file: Rgb, paper: Rgb]>>;
}
