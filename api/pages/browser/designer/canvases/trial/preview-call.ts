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

/** A response of the preview. */
export interface Preview {
  png: string;
  width: number;
  height: number;
  fault: string | null;
  notices: readonly ShownNotice[];
  elements: readonly ShownElement[];
}

/** An item of a trial: the fields that the interface accepts, with further properties. */
export interface TrialItem {
  itemId: string;
  itemName?: string;
  price?: string;
  itemGroup?: string;
  department?: string;
  presentation?: string;
  properties?: Readonly<Record<string, string>>;
}

export interface PreviewOrder {
  canvas: Canvas;
  labelType: number;
  item: TrialItem;
  colors?: "pure" | "measured";
}

/** Why a design could not be previewed: faults of its form, each with its place. */
export interface Refusal {
  errors: readonly { pointer: string; detail: string }[];
}

export type Previewing = (order: PreviewOrder, signal?: AbortSignal) => Promise<Preview | Refusal>;

export const isPreview = (answer: Preview | Refusal): answer is Preview => "png" in answer;

const PAUSE_MS = 1000;

/** Previews through the interface. It carries no key: a preview stores nothing, so that a repetition is harmless. */
export const previewing =
  (manage: string, storeId: string): Previewing =>
  async (order, signal) => {
    const body = JSON.stringify({ ...order, storeId, draft: true });
    const headers = { "content-type": "application/json" };
    const address = `${manage}/designs/preview`;
    for (;;) {
      const answer = await fetch(address, { method: "POST", headers, body, signal: signal ?? null });
      if (answer.status === 429 || answer.status === 503) {
        await new Promise((done) => setTimeout(done, PAUSE_MS));
        continue;
      }
      if (answer.status === 401) location.reload();
      const told = (await answer.json()) as Preview & { errors?: Refusal["errors"]; detail?: string };
      if (answer.ok) return told;
      const errors = told.errors ?? [{ pointer: "", detail: told.detail ?? String(answer.status) }];
      return { errors: errors.map(({ pointer, detail }) => ({ pointer: pointer.replace(/^\/canvas/, ""), detail })) };
    }
  };

/** The bytes of a picture of the interface. */
export const bytesOf = (png: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
