import type { Item } from "../../schemas/item.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import type { Store } from "../../schemas/store.ts";

/** The facts that all pictures of links need, whether a design or an ECC model draws them. */
export interface Surroundings {
  displayPosition: number;
  item: Item | undefined;
  labelType: LabelType;
  store: Store;
}
