import { call } from "../../../call.ts";
import { readJson } from "../../../read-all.ts";
import { noticeLine } from "../../canvases/panels/notice-lines.ts";
import type { ShownNotice } from "../../canvases/trial/preview-shapes.ts";
import { make } from "../../make.ts";
import { designOf, manage, text } from "../desk.ts";

interface Preview {
  png: string;
  width: number;
  height: number;
  /** The fault in English. */
  fault: string | null;
  notices: readonly ShownNotice[];
}

/** Canvases cached by key, and pictures cached by what they show; a keystroke changes few of them. */
const canvases = new Map<string, Promise<object | undefined>>();
const pictures = new Map<string, Promise<Preview | undefined>>();

/** Returns the picture of an item on a label with a design, as the renderer draws it; undefined if this fails. */
export function drawPicture(
  design: string,
  order: { storeId?: string | undefined; itemId: string; labelType: number },
): Promise<Preview | undefined> {
  const name = JSON.stringify([design, order]);
  const picture = pictures.get(name) ?? draw(design, order).catch(() => undefined);
  pictures.set(name, picture);
  return picture;
}

async function draw(design: string, order: object): Promise<Preview | undefined> {
  const key = designOf(design)?.canvasId;
  if (key === undefined) return undefined;
  const canvasId = key.slice(key.lastIndexOf("/") + 1);
  const canvas =
    canvases.get(key) ??
    readJson<Record<string, unknown>>(`${manage}/canvas-designs/${encodeURIComponent(canvasId)}`).then(
      ({ canvasId: _, key: __, ...content }) => content,
      () => undefined,
    );
  canvases.set(key, canvas);
  const answer = await call("POST", `${manage}/designs/preview`, { canvas: await canvas, ...order });
  return answer.ok ? ((await answer.json()) as Preview) : undefined;
}

/** Returns the renderer's notices about a preview, each once. */
export function reportsOf({ fault, notices }: Preview): string[] {
  const said = [...new Set(notices.map((notice) => noticeLine(notice, text)))];
  return said.length === 0 && fault !== null ? [fault] : said;
}

/** Creates an image element for a preview. */
export const pictureOf = ({ png, width, height }: Preview, alt: string): HTMLImageElement =>
  make("img", { class: "pixels", src: `data:image/png;base64,${png}`, width, height, alt });
