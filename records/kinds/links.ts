import { DesignerLink, EccLink, StudioLink } from "../../schemas/design.ts";
import { Link, StoreLink } from "../../schemas/link.ts";
import { recordKind } from "../kind.ts";

export const links = recordKind("link.v2", Link, { isAlive: ({ status }) => status !== "DELETED" });

export const storeLinks = recordKind("storelink.v1", StoreLink, { isAlive: ({ status }) => status !== "DELETED" });

export const studioLinks = recordKind("studiolink.v1", StudioLink);

export const designerLinks = recordKind("designerlink.v1", DesignerLink, {
  isAlive: ({ status }) => status !== "DELETED",
});

export const eccLinks = recordKind("ecclink.v1", EccLink, { isAlive: ({ status }) => status !== "DELETED" });
