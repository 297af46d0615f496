import { EccEslImage, EslImage, RenderedImage } from "../../schemas/image.ts";
import { recordKind } from "../kind.ts";

export const renderedImages = recordKind("renderedimage.v1", RenderedImage);

export const eccEslImages = recordKind("ecceslimage.v1", EccEslImage);

export const eslImages = recordKind("eslimage.v1", EslImage);
