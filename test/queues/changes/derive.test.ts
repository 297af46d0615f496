import test from "ava";
import { createCommit } from "../../../queues/changes/commit.ts";
import { inputsSetBack, type Source, sourceOf } from "../../../queues/changes/derivation.ts";
import { createDerive } from "../../../queues/changes/derive.ts";
import { items } from "../../../records/kinds/items.ts";
import { links } from "../../../records/kinds/links.ts";
import { itemKey, linkKey } from "../../../schemas/keys.ts";
import { ownSystem } from "../../harness/own.ts";
import { BREAD, MILK, type Pictures, pictures, pricesOf, STORE } from "./pictures-of-prices.ts";

const world = ownSystem();
const { derive, findStale, pictureOf, setPrice } = pricesOf(world);

test.beforeEach(async () => {
  await setPrice("milk", "1.10");
  await setPrice("bread", "2.20");
});

test.serial("a record is derived again if it names a newer rev of an input than was read", async (t) => {
  const key = linkKey(STORE, "moved");
  await derive(pictures(), key);
  const { records } = world.system;
  const [former] = (await records.read(items, [BREAD])).values();
  await setPrice("bread", "3.30");
  await derive(pictures(), key);
  let loads = 0;
  // Like a server that does not have the last write yet.
  const load: Pictures["load"] = async (keys, read) => {
    const loaded = await pictures().load(keys, read);
    loads += 1;
    if (loads > 1) return loaded;
    return new Map(
      [...loaded].map(
        ([
          one,
          {
            facts: [milk],
            sources: [first],
          },
        ]) => [one, { facts: [milk, former?.price], sources: [first as Source, sourceOf(items, BREAD, former)] }],
      ),
    );
  };
  await derive(pictures({ load }), key);
  t.is((await pictureOf(key))?.image, "1.10 3.30");
  t.is(loads, 2);
});

const RECORD = { kind: items, key: MILK, rev: 5 };
const VALUES = { ...RECORD, values: { fields: ["price"], digest: "a".repeat(16) } };
for (const [what, source, stored, isSetBack] of [
  ["an older rev", RECORD, `${items.name} ${MILK}#6`, true],
  ["the stored rev", RECORD, `${items.name} ${MILK}#5`, false],
  ["a newer rev", RECORD, `${items.name} ${MILK}#4`, false],
  ["an input that was missing before", RECORD, `${items.name} ${MILK}#0`, true],
  ["an input that is not stored", RECORD, `${items.name} ${BREAD}#6`, false],
  ["other values", VALUES, `${items.name} ${MILK}=${"b".repeat(16)}`, true],
  ["the stored values", VALUES, `${items.name} ${MILK}=${"a".repeat(16)}`, false],
] as const)
  test(`${what} ${isSetBack ? "may set" : "does not set"} a record back`, (t) => {
    t.is(inputsSetBack([source], [stored]).length === 1, isSetBack);
  });

test.serial("a record whose inputs have not changed is neither computed again nor written", async (t) => {
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

test.serial("a record that does not keep its inputs is derived again if, and only if, it was written", async (t) => {
  const [written, same, left] = ["written", "same", "left"].map((name) => linkKey(STORE, `revs-${name}`)) as [
    string,
    string,
    string,
  ];
  const perKey: Partial<Pictures> = {
    keepsInputs: false,
    async load(keys, read) {
      const loaded = await pictures().load(keys, read);
      return new Map(
        [...loaded].map(([key, { facts }]) => [key, { facts, sources: [sourceOf(items, `${key} input`, undefined)] }]),
      );
    },
    decide: async (cases) =>
      (await pictures().decide(cases)).map((body, at) => (cases[at]?.key === left ? undefined : body)),
  };
  const loaded: string[][] = [];
  const load: Pictures["load"] = (keys, ...reads) => {
    loaded.push([...keys]);
    return (perKey.load as Pictures["load"])(keys, ...reads);
  };
  const { derive } = createDerive(world.system);
  await derive(pictures(perKey), [same], "bulk");
  await derive(pictures({ ...perKey, load }), [written, same, left], "bulk");
  t.deepEqual(loaded, [[written, same, left], [written]]);
});

test.serial("a mark that changes from A to B and back during a derivation leaves no record with B", async (t) => {
  const key = linkKey(STORE, "mark");
  let mark = "A";
  /** Writes the mark, if it is not in the record already. */
  const follows = (rest: Partial<Pictures> = {}): Pictures =>
    pictures({
      keepsInputs: false,
      async load(keys, read) {
        await read([]);
        return new Map(keys.map((one) => [one, { facts: [mark], sources: [], mark }]));
      },
      decide: async (cases) => {
        const bodies = await pictures().decide(cases);
        return bodies.map((body, at) => (body?.image === cases[at]?.current?.image ? undefined : body));
      },
      ...rest,
    });
  await derive(follows(), key);
  mark = "B";
  const decide: Pictures["decide"] = async (cases) => {
    const bodies = await follows().decide(cases);
    mark = "A";
    await derive(follows(), key);
    return bodies;
  };
  await derive(follows({ decide }), key);
  t.is((await pictureOf(key))?.image, "A");
  t.deepEqual(await findStale(follows(), key), []);
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

test.serial("the cause of a record is its newest input's cause", async (t) => {
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
  await derive(pictures({ load }), key);
  t.like((await pictureOf(key))?.cause, { call: "newest" });
});
