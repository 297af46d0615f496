import { Jimp } from "jimp";
import type { ImageElement } from "../../schemas/canvas-images.ts";
import type { Bitmap } from "./dither-image.ts";

/** How an image is fitted into its area. */
export interface Fitting extends Size {
  fit: NonNullable<ImageElement["fit"]>;
  align: NonNullable<ImageElement["align"]>;
  verticalAlign: NonNullable<ImageElement["verticalAlign"]>;
}

type Size = Pick<Bitmap, "width" | "height">;

/** A part of an image at its drawn size, and its position in the area. */
export interface Fitted {
  bitmap: Bitmap;
  x: number;
  y: number;
}

/** Caches fitted images, keyed by the way they are fitted, since a design shows the same image on every label. */
const fittedImages = new WeakMap<Bitmap, Map<string, Fitted>>();

/** Fits an image into an area like `fitImage`, but only once for each image and `Fitting`. */
export function fittedImage(bitmap: Bitmap, { width, height, fit, align, verticalAlign }: Fitting): Fitted {
  const cached = fittedImages.get(bitmap) ?? new Map<string, Fitted>();
  fittedImages.set(bitmap, cached);
  const key = `${width}x${height} ${fit} ${align} ${verticalAlign}`;
  const fitted = cached.get(key) ?? fitImage(bitmap, { width, height, fit, align, verticalAlign });
  cached.set(key, fitted);
  return fitted;
}

/** Fits an image into an area. It is cropped before it is scaled, so the result is never larger than the area. */
export function fitImage(bitmap: Bitmap, { width, height, fit, align, verticalAlign }: Fitting): Fitted {
  const across = shareOf(align);
  const down = shareOf(verticalAlign);
  const [scaleX, scaleY] = scalesOf(bitmap, { width, height }, fit);
  const part = {
    w: Math.max(1, Math.min(bitmap.width, Math.round(width / scaleX))),
    h: Math.max(1, Math.min(bitmap.height, Math.round(height / scaleY))),
  };
  const size = {
    w: Math.max(1, Math.min(width, Math.round(part.w * scaleX))),
    h: Math.max(1, Math.min(height, Math.round(part.h * scaleY))),
  };
  const image = new Jimp({ width: bitmap.width, height: bitmap.height, data: Buffer.from(bitmap.data) });
  const [left, top] = [Math.floor((bitmap.width - part.w) * across), Math.floor((bitmap.height - part.h) * down)];
  if (part.w !== bitmap.width || part.h !== bitmap.height) image.crop({ x: left, y: top, ...part });
  if (size.w !== part.w || size.h !== part.h) image.resize(size);
  return {
    bitmap: { width: size.w, height: size.h, data: image.bitmap.data },
    x: Math.floor((width - size.w) * across),
    y: Math.floor((height - size.h) * down),
  };
}

/** Returns the fraction of the remaining space that precedes the image. */
const shareOf = (align: Fitting["align"] | Fitting["verticalAlign"]): number => {
  if (align === "left" || align === "top") return 0;
  return align === "right" || align === "bottom" ? 1 : 1 / 2;
};

function scalesOf(image: Size, area: Size, fit: Fitting["fit"]): [x: number, y: number] {
  const [x, y] = [area.width / image.width, area.height / image.height];
  if (fit === "none") return [1, 1];
  if (fit === "fill") return [x, y];
  const scale = fit === "cover" ? Math.max(x, y) : Math.min(x, y);
  return [scale, scale];
}
