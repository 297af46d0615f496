import test from "ava";
import { createCommit } from "../../../queues/changes/commit.ts";
import { sourceOf } from "../../../queues/changes/derivation.ts";
import { createDerive } from "../../../queues/changes/derive.ts";
import { items } from "../../../records/kinds/items.ts";
import { links } from "../../../records/kinds/links.ts";
import type { ReadTogether } from "../../../records/read-together.ts";
import { itemKey, linkKey } from "../../../schemas/keys.ts";
import { ownSystem } from "../../harness/own.ts";
import { BREAD, MILK, type Pictures, pictures, pricesOf, STORE } from "./pictures-of-prices.ts";

const world = ownSystem();
const { derive, findStale, pictureOf, setPrice } = pricesOf(world);

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
