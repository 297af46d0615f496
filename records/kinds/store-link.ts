import { StoreLink } from "../../schemas/link.ts";
import { recordKind } from "../kind.ts";

export const storeLinks = recordKind("storelink.v1", StoreLink, { isAlive: ({ status }) => status !== "DELETED" });
