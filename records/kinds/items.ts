import { changedItemKeys } from "../../domain/packs/item-keys.ts";
import { MAX_PRICES } from "../../domain/prices/keep-price.ts";
import { exists, Item } from "../../schemas/item.ts";
import { ItemLinks } from "../../schemas/link.ts";
import { ItemPages } from "../../schemas/page-image.ts";
import { Schedule } from "../../schemas/schedule.ts";
import { Sic } from "../../schemas/sic.ts";
import { recordKind } from "../kind.ts";

export const items = recordKind("storeitemvalues.v1", Item, {
  isAlive: exists,
  changedKeys: changedItemKeys,
  appended: { field: "prices", max: MAX_PRICES },
  // Tombstones only, for clean-up.
  indexes: [{ keys: { changedAt: 1 }, partial: { deleted: true } }],
});

export const itemPages = recordKind("pageimage.v1", ItemPages);

export const itemLinks = recordKind("itemlinks", ItemLinks);

export const sics = recordKind("sic", Sic);

export const schedules = recordKind("schedule", Schedule, {
  indexes: [
    // Serves reads of a store's due schedules, of the next due schedules in any store, and of schedules without `due`, which
    // clean-up removes.
    { keys: { store: 1, due: 1 } },
    { keys: { due: 1, changedAt: 1 } },
    { keys: { "updates.failed.at": 1 }, sparse: true },
  ],
});
