import test from "ava";
import { allKinds } from "../../records/all-kinds.ts";
import { indexesOf } from "../../records/indexes.ts";
import { reasonToStayWhole, SHARDED } from "../../records/sharding.ts";

const kinds = await allKinds();

test("each kind and each collection with an index is either sharded or has a reason to stay whole", (t) => {
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

test("a sharded collection has no second unique key, which no shard could check alone", (t) => {
  const unique = indexesOf(kinds).filter((index) => index.unique && SHARDED.includes(index.collection));
  t.deepEqual(unique, []);
});
