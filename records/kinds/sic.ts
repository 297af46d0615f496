import { type Static, Type } from "typebox";
import { recordKind } from "../kind.ts";

/** sic: the claim of a secondary item code by an item. A code belongs to at most one item of a store. */
const Sic = Type.Object({ itemId: Type.String() });
export type Sic = Static<typeof Sic>;

export const sics = recordKind("sic", Sic);
