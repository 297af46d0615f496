import type { Item } from "../../schemas/item.ts";
import type { LabelType, Store } from "../../schemas/tenant.ts";

/** The facts that all pictures of links share, whether a design or an ECC model draws them. */
export interface Surroundings {
  displayPosition: number;
  item: Item | undefined;
  labelType: LabelType;
  store: Store;
}
