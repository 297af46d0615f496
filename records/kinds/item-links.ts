import { ItemLinks } from "../../schemas/link.ts";
import { recordKind } from "../kind.ts";

export const itemLinks = recordKind("itemlinks", ItemLinks);
