import { EccEslImage } from "../../schemas/image.ts";
import { recordKind } from "../kind.ts";

export const eccEslImages = recordKind("ecceslimage.v1", EccEslImage);
