import type { ImageFiles } from "../../../records/files/image-files.ts";
import type { CanvasDesign, ImageElement } from "../../../schemas/canvas.ts";
import type { LoadedDesign } from "./drawing-order.ts";

/** The image elements of a design and its variants. */
export const imagesOf = ({ elements, variants = [] }: CanvasDesign): ImageElement[] =>
  [...elements, ...variants.flatMap((variant) => variant.elements)].filter(
    (element): element is ImageElement => element.kind === "image",
  );

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
