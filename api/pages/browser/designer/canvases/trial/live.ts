import { readJson } from "../../../read-all.ts";
import type { Canvas } from "../document/document.ts";
import type { EditorData } from "../editor-data.ts";

/** The design as labels show it; undefined before it is first published. */
export async function readLive({
  manage,
  canvasId,
}: Pick<EditorData, "manage" | "canvasId">): Promise<Canvas | undefined> {
  const found = await readJson<Canvas & { canvasId: string; key: string }>(
    `${manage}/canvas-designs/${encodeURIComponent(canvasId)}`,
  ).catch(() => undefined);
  if (found === undefined) return undefined;
  const { canvasId: _, key: __, ...live } = found;
  return live;
}
