import { PriceList, PriceListPart } from "../../schemas/price-list.ts";
import { recordKind } from "../kind.ts";

export const priceLists = recordKind("pricelist", PriceList, {
  // For a store's newest lists, and for clean-up.
  indexes: [{ keys: { store: 1, since: -1 } }, { keys: { since: 1 } }],
});

export const priceListParts = recordKind("pricelistpart", PriceListPart);
