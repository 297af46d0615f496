import { type Derivation, sourceOf } from "../../../queues/changes/derivation.ts";
import { createDerive } from "../../../queues/changes/derive.ts";
import { items } from "../../../records/kinds/items.ts";
import { renderedImages } from "../../../records/kinds/pictures.ts";
import type { RenderedImage } from "../../../schemas/image.ts";
import type { Item } from "../../../schemas/item.ts";
import { itemKey } from "../../../schemas/keys.ts";
import type { ASystem } from "../../harness/system.ts";

export const STORE = "t/demo/s/main";
export const [MILK, BREAD] = [itemKey(STORE, "milk"), itemKey(STORE, "bread")] as const;

/** An item with a price and nothing else. */
export const item = (itemId: string, price: string): Item => ({
  itemId,
  price,
  sics: [],
  properties: [],
  stamps: {},
  created: 1,
});

type Prices = readonly (string | null | undefined)[];
export type Pictures = Derivation<Prices, RenderedImage>;

/** The prices of milk and bread as one string. */
export function pictures(options: Partial<Pictures> & { onDecide?(): Promise<unknown>; mark?: string } = {}): Pictures {
  const { onDecide, mark, ...fields } = options;
  return {
    kind: renderedImages,
    from: [items],
    keepsInputs: true,
    async load(keys, read) {
      const [found] = await read([{ kind: items, keys: [MILK, BREAD] }]);
      const sources = [MILK, BREAD].map((key) => sourceOf(items, key, found.get(key)));
      const facts = [MILK, BREAD].map((key) => found.get(key)?.price);
      return new Map(keys.map((key) => [key, { facts, sources, ...(mark !== undefined && { mark }) }]));
    },
    async decide(cases) {
      await onDecide?.();
      return cases.map(({ facts }) => ({
        shows: { link: "a", linkRev: 1, item: "b", itemRev: 1 },
        image: facts.join(" "),
        width: 296,
        height: 128,
        empty: false,
        warnings: [],
      }));
    },
    ...fields,
  };
}

/** A system's prices and the pictures that are derived from them. */
export const pricesOf = (world: ASystem) => ({
  setPrice: (itemId: string, price: string) =>
    world.system.commit.change(items, [itemKey(STORE, itemId)], () => item(itemId, price), "bulk"),
  derive: (derivation: Pictures, key: string) => createDerive(world.system).derive(derivation, [key], "bulk"),
  findStale: (derivation: Pictures, key: string) => createDerive(world.system).findStale(derivation, [key]),
  pictureOf: async (key: string) => (await world.system.records.read(renderedImages, [key])).get(key),
});
