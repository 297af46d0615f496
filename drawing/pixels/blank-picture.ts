import type { ImageFile } from "../../schemas/image-file.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import { createFramebuffer, type Framebuffer } from "./framebuffer.ts";
import { imageFileOf } from "./image-file.ts";

type Glass = Pick<LabelType, "width" | "height" | "colors">;

/** Returns the picture of a label that shows only its background, by default the first colour of its palette. */
export const blankPicture = ({ width, height, colors }: Glass, background = 0): Framebuffer =>
  createFramebuffer(width, height, colors, background);

/** Returns the stored file of a blank picture. */
export const blankFile = (labelType: Glass): ImageFile => imageFileOf(blankPicture(labelType));
