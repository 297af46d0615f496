import type { ImageFiles } from "../../../records/files/image-files.ts";
import { type CanvasDesign, drawnElements, type ImageElement } from "../../../schemas/canvas.ts";
import { turnedSize } from "../pixels/turn.ts";
import type { LoadedDesign } from "./drawing-order.ts";

/** The image elements of a design and its variants, each with the size at which its image is drawn. */
export const imagesOf = ({ elements, variants = [] }: CanvasDesign): ImageElement[] =>
  drawnElements([...elements, ...variants.flatMap((variant) => variant.elements)])
    .filter((element): element is ImageElement => element.kind === "image")
    .map((element) => ({ ...element, ...turnedSize(element, element.rotate ?? 0) }));

/** Reads the image files of a design, so that the drawing thread needs no database. */
export async function readDesign(
  imageFiles: Pick<ImageFiles, "read">,
  tenant: string,
  id: string,
  canvas: CanvasDesign,
): Promise<LoadedDesign> {
  const files = await imageFiles.read(
    tenant,
    imagesOf(canvas).map(({ image }) => image),
  );
  return { id, canvas, files: new Map([...files].map(([sha256, { png }]) => [sha256, png])) };
}
