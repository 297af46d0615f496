import { exists, Item } from "../../schemas/item.ts";
import { recordKind } from "../kind.ts";

export const items = recordKind("storeitemvalues.v1", Item, {
  isAlive: exists,
  // Tombstones only, for clean-up.
  indexes: [{ keys: { changedAt: 1 }, partial: { deleted: true } }],
});
