import { type Static, Type } from "typebox";
import { Stamp } from "./stamp.ts";

/**
 * sic: the claim of an item to a secondary item code. A code belongs to at most one item of a store. The claim with the
 * larger stamp wins; claims stored by an older version have no stamp and lose to every other.
 */
export const Sic = Type.Object({ itemId: Type.String(), stamp: Type.Optional(Stamp) });
export type Sic = Static<typeof Sic>;
