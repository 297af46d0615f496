import test from "ava";
import { linksOfItems } from "../../../queues/linking/item-links.ts";
import { createLinkLabels } from "../../../queues/linking/link-labels.ts";
import type { ApplyRows } from "../../../queues/requests/stamped-rows.ts";
import { items } from "../../../records/kinds/items.ts";
import { links, storeLinks } from "../../../records/kinds/links.ts";
import { counterCollection } from "../../../records/requests/numbers.ts";
import { itemKey, linkIdOf, linkKey } from "../../../schemas/keys.ts";
import { stampOf } from "../../../schemas/stamp.ts";
import { createPatchLinks } from "../../../workers/link/patch-links.ts";
import { createStoreLinks } from "../../../workers/link/store-links.ts";
import { createUnlink } from "../../../workers/link/unlink.ts";
import { addModel } from "../../api/calls.ts";
import { DEMO_STORE, labelFor } from "../../harness/glass.ts";
import { openShelfwire, type Shelfwire } from "../../harness/shelfwire.ts";

/**
 * Two requests on one label in every order in which they can be applied. Requests on links are applied in the order of their
 * numbers; but a stalled process may apply the earlier request again after the later one, and link-single may overtake smaller
 * numbers.
 */
let shelfwire: Shelfwire;
const DESIGN = "t/demo/designs/special-296x128";
/** Far beyond the settled numbers, as if link-single had overtaken other requests. Each pair of requests gets two numbers. */
const NUMBER = 1_000_000;

test.before(async () => {
  shelfwire = await openShelfwire({ workers: [] });
  await addModel(shelfwire, { name: "Two", labelTypes: [1328], linkPositions: 2 });
});
test.after.always(() => shelfwire.close());

/** A label and two items, to which one sequence of requests is applied. */
interface Scene {
  barcode: string;
  x: string;
  y: string;
}

type Apply = (scene: Scene, number: number) => Promise<unknown>;

let scenes = 0;
async function aScene(): Promise<Scene> {
  const scene = { barcode: labelFor(`replayed ${scenes}`), x: `X ${scenes}`, y: `Y ${scenes}` };
  scenes += 1;
  const bare = { sics: [], properties: [], stamps: {}, created: 1 };
  const ids = new Map([scene.x, scene.y].map((itemId) => [itemKey(DEMO_STORE, itemId), itemId]));
  const made = (key: string) => ({ itemId: ids.get(key) ?? "", ...bare });
  await shelfwire.system.commit.change(items, [...ids.keys()], made, "bulk");
  return scene;
}

/**
 * Returns a function for each kind of request that applies it to a scene under a number; `settled` replaces the settled number.
 */
function requests(settled?: number) {
  const numbers = {
    ...shelfwire.system.numbers,
    ...(settled !== undefined && { settledAtLeast: async () => settled }),
  };
  const system = { ...shelfwire.system, numbers, schemeOf: async () => () => 1328 };
  const one =
    <Row>(apply: ApplyRows<Row>, row: (scene: Scene) => unknown): Apply =>
    (scene, number) =>
      apply(DEMO_STORE, [{ row: row(scene) as Row, stamp: stampOf(number, 0) }], "bulk");
  const label = (link: (scene: Scene) => object) =>
    one(createLinkLabels(system), (scene) => ({
      barcode: scene.barcode,
      modelName: "Two",
      links: [link(scene)],
    }));
  const patch = (fields: (scene: Scene) => object) =>
    one(createPatchLinks(system), (scene) => ({ linkId: linkIdOf(scene.barcode, 0), ...fields(scene) }));
  const unlink = (row: (scene: Scene) => object) => one(createUnlink(system), row);
  const storeLevel = (fields: object) => one(createStoreLinks(system), ({ x }) => ({ itemIds: [x], ...fields }));
  return {
    "link X": label(({ x }) => ({ itemId: x, facings: "1" })),
    "link Y": label(({ y }) => ({ itemId: y })),
    "link Y at the other position": label(({ y }) => ({ itemId: y, displayPosition: 1 })),
    "POST /links": label(({ x }) => ({ itemId: x, design: { origin: "designer", designId: DESIGN } })),
    "force a design": patch(() => ({ forced_design_id: DESIGN })),
    "switch off": patch(() => ({ status: "INACTIVE" })),
    "patch the item": patch(({ y }) => ({ itemId: y })),
    "unlink the position": unlink(({ barcode }) => ({ barcode, displayPosition: 0 })),
    "unlink the label": unlink(({ barcode }) => ({ barcode })),
    "unlink X": unlink(({ x }) => ({ itemId: x })),
    "LINK X in the store": storeLevel({ operation: "LINK", designId: DESIGN }),
    "UNLINK X in the store": storeLevel({ operation: "UNLINK" }),
  } satisfies Record<string, Apply>;
}
type Name = keyof ReturnType<typeof requests>;

/** Returns all stored records of a scene, and the links that their item's list lacks. */
async function seen({ barcode, x, y }: Scene) {
  const { records } = shelfwire.system;
  const keys = [0, 1].map((position) => linkKey(DEMO_STORE, linkIdOf(barcode, position)));
  const itemKeys = [x, y].map((itemId) => itemKey(DEMO_STORE, itemId));
  const [found, lists, storeLevel] = await Promise.all([
    records.read(links, keys),
    linksOfItems(records, itemKeys),
    records.read(storeLinks, itemKeys),
  ]);
  const lacking = [...found.values()].filter(({ _id, status }) => status !== "DELETED" && !lists.includes(_id));
  return { links: keys.map((key) => found.get(key)), storeLevel: [...storeLevel.values()], lacking };
}

const linkLike: readonly Name[] = [
  "link X",
  "link Y",
  "link Y at the other position",
  "POST /links",
  "LINK X in the store",
];

test.serial("an earlier request that is applied again after a later one changes nothing", async (t) => {
  const all = requests();
  const names = Object.keys(all) as Name[];
  for (const first of names) {
    for (const begin of linkLike.includes(first) ? [undefined, "link X" as const] : ["link X" as const]) {
      const orders = names.map(async (second) => {
        const scene = await aScene();
        if (begin) await all[begin](scene, NUMBER);
        await all[first](scene, NUMBER + 1);
        await all[second](scene, NUMBER + 2);
        const inOrder = await seen(scene);
        await all[first](scene, NUMBER + 1);
        const order = `${begin ?? "nothing"}, ${first}, ${second}, ${first} again`;
        t.deepEqual(inOrder.lacking, [], order);
        t.deepEqual(await seen(scene), inOrder, order);
      });
      await Promise.all(orders);
    }
  }
});

test.serial("a link-single that arrives before a smaller number keeps its position", async (t) => {
  const all = requests();
  for (const smaller of Object.keys(all) as Name[]) {
    const scene = await aScene();
    await all["link X"](scene, NUMBER);
    await all["link Y"](scene, NUMBER + 2);
    await all[smaller](scene, NUMBER + 1);
    const { links: found, lacking } = await seen(scene);
    t.like(found[0], { itemId: scene.y, status: "ACTIVE", stamp: stampOf(NUMBER + 2, 0) }, smaller);
    t.deepEqual(lacking, [], smaller);
  }
});

test.serial(
  "a request that repeats the stored link is written only while a request with a smaller number may still arrive",
  async (t) => {
    const scene = await aScene();
    await requests(NUMBER - 1)["link X"](scene, NUMBER);
    const linked = await seen(scene);
    await requests(NUMBER)["link X"](scene, NUMBER + 1);
    t.deepEqual(await seen(scene), linked);
    await requests(NUMBER)["link X"](scene, NUMBER + 2);
    t.is((await seen(scene)).links[0]?.stamp, stampOf(NUMBER + 2, 0));
  },
);

test.serial(
  "a request that repeats the stored link takes the later stamp while an earlier request is held and may still be approved",
  async (t) => {
    const all = requests();
    const names = ["link X", "POST /links", "force a design", "patch the item", "LINK X in the store"] as const;
    let settled = 2 * NUMBER;
    for (const holds of [[], ["a mark"]]) {
      // The settled number is the held request's number.
      settled += 1;
      const counter = { number: settled, drawnAt: new Date(), settledThrough: settled, holds };
      await counterCollection(shelfwire.system.db).updateOne({ _id: DEMO_STORE }, { $set: counter }, { upsert: true });
      for (const name of names) {
        const scene = await aScene();
        const stampAfter = async (kind: Name, number: number) => {
          await all[kind](scene, number);
          const { links: found, storeLevel } = await seen(scene);
          return (name === "LINK X in the store" ? storeLevel[0] : found[0])?.stamp;
        };
        await stampAfter("link X", NUMBER);
        const before = await stampAfter(name, NUMBER + 1);
        const expected = holds.length > 0 ? stampOf(settled + 1, 0) : before;
        t.is(await stampAfter(name, settled + 1), expected, `${name}, ${holds.length} held`);
      }
    }
  },
);
