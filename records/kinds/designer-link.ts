import { DesignerLink } from "../../schemas/design.ts";
import { recordKind } from "../kind.ts";

export const designerLinks = recordKind("designerlink.v1", DesignerLink, {
  isAlive: ({ status }) => status !== "DELETED",
});
