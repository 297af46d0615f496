import { type Static, Type } from "typebox";
import { Stamp } from "./stamp.ts";

/**
 * sic: the assignment of a secondary item code to an item. A code belongs to at most one item of a store. The assignment with
 * the larger stamp wins. Assignments stored by an older version have no stamp and lose to all others.
 */
export const Sic = Type.Object({ itemId: Type.String(), stamp: Type.Optional(Stamp) });
export type Sic = Static<typeof Sic>;
