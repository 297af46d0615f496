import { type Static, Type } from "typebox";
import { Stamp } from "./stamp.ts";

/**
 * sic: the claim of a secondary item code by an item. A code belongs to at most one item of a store. The claim with the
 * larger stamp wins; one that an older version stored has none and loses to every other.
 */
export const Sic = Type.Object({ itemId: Type.String(), stamp: Type.Optional(Stamp) });
export type Sic = Static<typeof Sic>;
