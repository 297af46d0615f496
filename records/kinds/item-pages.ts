import { ItemPages } from "../../schemas/page-image.ts";
import { recordKind } from "../kind.ts";

export const itemPages = recordKind("pageimage.v1", ItemPages);
