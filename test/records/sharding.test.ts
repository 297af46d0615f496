import { readFileSync } from "node:fs";
import test from "ava";
import { allKinds } from "../../records/all-kinds.ts";
import { indexesOf } from "../../records/indexes.ts";
import { reasonToStayWhole, SHARDED } from "../../records/sharding.ts";

const kinds = await allKinds();

test("each kind and each collection with an index is either sharded or has a reason to be unsharded", (t) => {
  const collections = new Set([
    ...kinds.map(({ name }) => name),
    ...indexesOf(kinds).map(({ collection }) => collection),
  ]);
  const placed = [...collections].map((name) => [name, SHARDED.includes(name), reasonToStayWhole(name) !== undefined]);
  t.deepEqual(
    placed.filter(([, isSharded, isWhole]) => isSharded === isWhole),
    [],
  );
});

test("a sharded collection has no second unique key, since a single shard could not check it", (t) => {
  const unique = indexesOf(kinds).filter((index) => index.unique && SHARDED.includes(index.collection));
  t.deepEqual(unique, []);
});

test("the operators' guide says where each collection is", (t) => {
  const guide = readFileSync(new URL("../../docs/operations/scale.md", import.meta.url), "utf8");
  const rows = guide.split("\n").filter((line) => line.startsWith("| `"));
  const whereIs = (name: string) => rows.find((row) => row.split("|")[1]?.includes(`\`${name}\``))?.split("|")[2];
  for (const name of SHARDED) t.regex(whereIs(name) ?? "", /sharded by `\{ _id: 1 \}`/, name);
  for (const { name } of kinds.filter((kind) => !SHARDED.includes(kind.name)))
    t.regex(whereIs(name) ?? "", /unsharded/, name);
});
