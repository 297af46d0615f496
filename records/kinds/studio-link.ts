import { StudioLink } from "../../schemas/design.ts";
import { recordKind } from "../kind.ts";

export const studioLinks = recordKind("studiolink.v1", StudioLink);
