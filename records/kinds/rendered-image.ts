import { RenderedImage } from "../../schemas/image.ts";
import { recordKind } from "../kind.ts";

export const renderedImages = recordKind("renderedimage.v1", RenderedImage);
