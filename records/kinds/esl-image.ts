import { EslImage } from "../../schemas/image.ts";
import { recordKind } from "../kind.ts";

export const eslImages = recordKind("eslimage.v1", EslImage);
