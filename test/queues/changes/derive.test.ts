import test from "ava";
import { createCommit } from "../../../queues/changes/commit.ts";
import { type Derivation, sourceOf, valuesOf } from "../../../queues/changes/derivation.ts";
import { createDerive } from "../../../queues/changes/derive.ts";
import { items } from "../../../records/kinds/items.ts";
import { links } from "../../../records/kinds/links.ts";
import { renderedImages } from "../../../records/kinds/pictures.ts";
import type { ReadTogether } from "../../../records/read-together.ts";
import type { RenderedImage } from "../../../schemas/image.ts";
import type { Item } from "../../../schemas/item.ts";
import { itemKey, linkKey } from "../../../schemas/keys.ts";
import { ownSystem } from "../../harness/own.ts";

const STORE = "t/demo/s/main";
const [MILK, BREAD] = [itemKey(STORE, "milk"), itemKey(STORE, "bread")];

const world = ownSystem();

const item = (itemId: string, price: string): Item => ({
  itemId,
  price,
  sics: [],
  properties: [],
  stamps: {},
  created: 1,
});
const setPrice = (itemId: string, price: string) =>
  world.system.commit.change(items, [itemKey(STORE, itemId)], () => item(itemId, price), "bulk");

type Prices = readonly (string | null | undefined)[];
type Pictures = Derivation<Prices, RenderedImage>;

/** A picture of the prices of milk and bread, as a text. */
function pictures(options: Partial<Pictures> & { onDecide?(): Promise<unknown>; mark?: string } = {}): Pictures {
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

const derive = (derivation: Pictures, key: string) => createDerive(world.system).derive(derivation, [key], "bulk");
const findStale = (derivation: Pictures, key: string) => createDerive(world.system).findStale(derivation, [key]);
const pictureOf = async (key: string) => (await world.system.records.read(renderedImages, [key])).get(key);

test.beforeEach(async () => {
  await setPrice("milk", "1.10");
  await setPrice("bread", "2.20");
});

test.serial(
  "a record is derived again if one of its inputs changed meanwhile, even if the others did not",
  async (t) => {
    const key = linkKey(STORE, "moved");
    let looks = 0;
    const onDecide = async () => {
      looks += 1;
      if (looks === 1) await setPrice("bread", "3.30");
    };
    await derive(pictures({ onDecide }), key);
    t.is((await pictureOf(key))?.image, "1.10 3.30");
  },
);

test.serial("a record with the same inputs is neither decided nor written", async (t) => {
  const key = linkKey(STORE, "same");
  await derive(pictures(), key);
  const before = await pictureOf(key);
  const decide: Pictures["decide"] = async (cases) => {
    t.is(cases.length, 0);
    return [];
  };
  await derive(pictures({ decide }), key);
  t.deepEqual(await pictureOf(key), before);
  t.deepEqual(await findStale(pictures(), key), []);
});

test.serial(
  "for an input compared by value, only another value makes a record stale, even during the derivation",
  async (t) => {
    const key = linkKey(STORE, "values");
    const byPrice = (onDecide?: () => Promise<unknown>) =>
      pictures({
        ...(onDecide && { onDecide }),
        async load(keys, read) {
          const [found] = await read([{ kind: items, keys: [MILK] }]);
          const sources = [valuesOf(items, MILK, found.get(MILK), ["price"])];
          return new Map(keys.map((one) => [one, { facts: [found.get(MILK)?.price], sources }]));
        },
      });
    let looks = 0;
    const onDecide = async () => {
      looks += 1;
      if (looks === 1) await setPrice("milk", "1.50");
    };
    await derive(byPrice(onDecide), key);
    t.is((await pictureOf(key))?.image, "1.50");
    t.is(looks, 2);
    const rename = { ...item("milk", "1.50"), itemName: "Milk" };
    await world.system.commit.change(items, [MILK], () => rename, "bulk");
    t.deepEqual(await findStale(byPrice(), key), []);
    await setPrice("milk", "1.60");
    t.deepEqual(await findStale(byPrice(), key), [key]);
  },
);

test.serial("the revs of inputs are read again only for written records", async (t) => {
  const [written, same, left] = ["written", "same", "left"].map((name) => linkKey(STORE, `revs-${name}`)) as [
    string,
    string,
    string,
  ];
  const perKey: Partial<Pictures> = {
    async load(keys, read) {
      const loaded = await pictures().load(keys, read);
      return new Map(
        [...loaded].map(([key, { facts }]) => [key, { facts, sources: [sourceOf(items, `${key} input`, undefined)] }]),
      );
    },
    decide: async (cases) =>
      (await pictures().decide(cases)).map((body, at) => (cases[at]?.key === left ? undefined : body)),
  };
  const asked: string[][] = [];
  const { records, commit } = world.system;
  const readTogether: ReadTogether = (reads) => {
    for (const { keys, fields } of reads) if (fields) asked.push([...keys]);
    return records.readTogether(reads);
  };
  const { derive } = createDerive({ records: { ...records, readTogether }, commit });
  await derive(pictures(perKey), [same], "bulk");
  await derive(pictures(perKey), [written, same, left], "bulk");
  t.deepEqual(asked, [[`${same} input`], [`${written} input`]]);
});

test.serial("a changed, additional or missing mark makes a record stale", async (t) => {
  const key = linkKey(STORE, "marked");
  await derive(pictures({ mark: "one" }), key);
  t.deepEqual(await findStale(pictures({ mark: "one" }), key), []);
  t.deepEqual(await findStale(pictures({ mark: "two" }), key), [key]);
  t.deepEqual(await findStale(pictures(), key), [key]);
  await derive(pictures(), key);
  t.deepEqual(await findStale(pictures({ mark: "one" }), key), [key]);
});

test.serial("a record whose file is lost is stale even if its inputs are the same", async (t) => {
  const [key, kept] = [linkKey(STORE, "lost"), linkKey(STORE, "kept")];
  const findLost: Pictures["findLost"] = async (records) =>
    records.map(({ _id }) => _id).filter((found) => found === key);
  for (const one of [key, kept]) await derive(pictures({ findLost }), one);
  t.deepEqual(await createDerive(world.system).findStale(pictures({ findLost }), [key, kept]), [key]);
});

test.serial(
  "a record that lacks another worker's result is stale, and each derivation orders that result",
  async (t) => {
    const key = linkKey(STORE, "lacking");
    const orders: unknown[] = [];
    let lacks = true;
    const missing: Pictures["missing"] = {
      isLacking: () => lacks,
      order: async (facts, urgency) => void orders.push([facts.length, urgency]),
    };
    await derive(pictures({ missing }), key);
    t.deepEqual(await findStale(pictures({ missing }), key), [key]);
    t.deepEqual(orders, [[1, "bulk"]], "a look for what is stale orders nothing");
    await createDerive(world.system).derive(pictures({ missing }), [key], "interactive");
    t.deepEqual(
      orders,
      [
        [1, "bulk"],
        [1, "interactive"],
      ],
      "an order may be lost",
    );
    lacks = false;
    await derive(pictures({ missing }), key);
    t.deepEqual([await findStale(pictures({ missing }), key), orders.length], [[], 2]);
  },
);

test.serial(
  "files are checked only if the inputs are the same, since other records are derived again anyway",
  async (t) => {
    const [same, fresh] = [linkKey(STORE, "same-inputs"), linkKey(STORE, "no-record-yet")];
    const asked: string[][] = [];
    const findLost: Pictures["findLost"] = async (records) => {
      asked.push(records.map(({ _id }) => _id));
      return [];
    };
    await derive(pictures({ findLost }), same);
    t.deepEqual(asked, []);
    const { findStale: stale } = createDerive(world.system);
    t.deepEqual(await stale(pictures({ findLost }), [same, fresh]), [fresh]);
    t.deepEqual(asked, [[same]]);
  },
);

test.serial("a quiet change is written and not published; a new record is never quiet", async (t) => {
  const key = linkKey(STORE, "quiet");
  const compared: [string, string][] = [];
  const isQuiet: Pictures["isQuiet"] = (current, next) => compared.push([current.image, next.image]) > 0;
  const published: string[] = [];
  const publish = async (_: unknown, changes: readonly { operation: string }[]) => {
    published.push(...changes.map(({ operation }) => operation));
    return true;
  };
  const commit = createCommit({ ...world.system, publisher: { publish } });
  const { derive } = createDerive({ records: world.system.records, commit });
  await derive(pictures({ isQuiet }), [key], "bulk");
  t.deepEqual([compared, published], [[], ["CREATED"]]);
  await setPrice("milk", "1.30");
  await derive(pictures({ isQuiet }), [key], "bulk");
  t.deepEqual([compared, published], [[["1.10 2.20", "1.30 2.20"]], ["CREATED"]]);
  t.is((await pictureOf(key))?.image, "1.30 2.20");
  await setPrice("milk", "1.40");
  await derive(pictures({ isQuiet: () => false }), [key], "bulk");
  t.deepEqual(published, ["CREATED", "UPDATED"]);
});

test.serial("a record without stored inputs is stale only if a new decision would write it", async (t) => {
  const key = linkKey(STORE, "decided");
  await derive(pictures(), key);
  await setPrice("milk", "1.20");
  t.deepEqual(await findStale(pictures({ keepsInputs: false }), key), [key]);
  const decide: Pictures["decide"] = async (cases) => cases.map(() => undefined);
  t.deepEqual(await findStale(pictures({ keepsInputs: false, decide }), key), []);
  t.deepEqual(await findStale(pictures({ keepsInputs: true, decide }), key), [key]);
});

test.serial("a source of a kind that the derivation does not name is refused", async (t) => {
  const load: Pictures["load"] = async (keys, read) => {
    await read([{ kind: links, keys }]);
    return new Map(keys.map((key) => [key, { facts: [], sources: [sourceOf(links, key, undefined)] }]));
  };
  await t.throwsAsync(derive(pictures({ load }), linkKey(STORE, "undeclared")), {
    message: "renderedimage.v1 is derived from link.v2, which its derivation does not name",
  });
});

test.serial("the cause of a record is that of its newest input", async (t) => {
  const key = linkKey(STORE, "caused");
  const load: Pictures["load"] = async (keys, read) => {
    await read([]);
    const sources = [
      { kind: items, key: MILK, rev: 5, cause: { call: "older" } },
      { kind: items, key: BREAD, rev: 7, cause: { call: "newest" } },
      { kind: items, key: itemKey(STORE, "eggs"), rev: 6, cause: { call: "between" } },
    ];
    return new Map(keys.map((one) => [one, { facts: ["1.10"], sources }]));
  };
  let looks = 0;
  // Revs that no record has are always moved: the second look does not change the record.
  const decide: Pictures["decide"] = async (cases) => {
    looks += 1;
    if (looks > 1) throw new Error("looked again");
    return pictures().decide(cases);
  };
  await t.throwsAsync(derive(pictures({ load, decide }), key), { message: "looked again" });
  t.like((await pictureOf(key))?.cause, { call: "newest" });
});
