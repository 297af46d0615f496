import { Design } from "../../schemas/design.ts";
import { recordKind } from "../kind.ts";

export const designs = recordKind("design.v1", Design, { isAlive: ({ deleted }) => deleted !== true });
