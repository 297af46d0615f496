import type { Item } from "../../schemas/item.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import type { Store } from "../../schemas/store.ts";

/** The facts that every link's picture needs, whether a design or an ECC model draws it. */
export interface Surroundings {
  displayPosition: number;
  item: Item | undefined;
  labelType: LabelType;
  store: Store;
}
