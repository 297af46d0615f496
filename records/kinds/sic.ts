import { type Static, Type } from "typebox";
import { recordKind } from "../kind.ts";

/** The claim of a secondary item code by an item: a code belongs to one item of its store. */
const Sic = Type.Object({ itemId: Type.String() });
export type Sic = Static<typeof Sic>;

export const sics = recordKind("sic", Sic);
