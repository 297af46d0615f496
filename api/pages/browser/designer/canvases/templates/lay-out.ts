import { call } from "../../../call.ts";
import type { Canvas } from "../document/document.ts";

/** A label type that a new design can be for. */
export interface Size {
  type: number;
  width: number;
  height: number;
}

/** A template laid out for label types; it has no canvas if all of them are too small. */
export interface LaidOutTemplate {
  labelTypes: readonly number[];
  canvas?: Canvas;
}

/** Lays out a template for label types; undefined if the interface rejects it. */
export async function layOut(
  { manage, storeId }: { manage: string; storeId: string },
  templateId: string,
  types: readonly Size[],
  signal: AbortSignal | null = null,
): Promise<LaidOutTemplate | undefined> {
  const address = `${manage}/design-templates/${encodeURIComponent(templateId)}/canvas`;
  const order = { storeId, labelTypes: types.map(({ type }) => type) };
  const answer = await call("POST", address, order, undefined, signal).catch(() => undefined);
  return answer?.ok ? ((await answer.json()) as LaidOutTemplate) : undefined;
}
