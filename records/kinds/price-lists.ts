import { PriceList, PriceListPart } from "../../schemas/price-list.ts";
import { recordKind } from "../kind.ts";

export const priceLists = recordKind("pricelist", PriceList, {
  // For the newest lists of a store, and for clean-up.
  indexes: [{ keys: { store: 1, since: -1 } }, { keys: { since: 1 } }],
});

export const priceListParts = recordKind("pricelistpart", PriceListPart);
