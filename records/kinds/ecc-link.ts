import { EccLink } from "../../schemas/design.ts";
import { recordKind } from "../kind.ts";

export const eccLinks = recordKind("ecclink.v1", EccLink, { isAlive: ({ status }) => status !== "DELETED" });
