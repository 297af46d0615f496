import test from "ava";
import { allKinds } from "../../../../records/all-kinds.ts";
import { indexesOf } from "../../../../records/indexes.ts";
import { faultsOf, listQueries, readQueryList } from "../../../../scripts/develop/queries/query-list.ts";
import { shapeOf } from "../../../../scripts/develop/queries/query-shape.ts";
import { textOf } from "../../../../scripts/develop/queries/served-by.ts";

const indexes = indexesOf(await allKinds());
const list = readQueryList();
const queries = list.map(({ query }) => query);

test("each listed query uses its index or has a reason: npm run queries", (t) => {
  t.deepEqual(list, listQueries(queries, indexes));
  t.deepEqual(faultsOf(queries, list, indexes), []);
});

test("each index serves a listed query or is unique", (t) => {
  const used = list.map(({ query, index }) => `${query.collection} ${index ?? ""}`);
  // A query that seeks from owner to owner uses the index of its sort order.
  const sought = list.filter(({ reason }) => reason !== undefined).map(({ query }) => query);
  const dead = indexes.filter(({ unique, ...index }) => {
    if (unique) return false;
    const isUsed = used.some((text) => text.startsWith(`${index.collection} `) && text.includes(textOf(index)));
    const start = Object.keys(index.keys).slice(0, 2).join();
    return (
      !isUsed &&
      !sought.some((query) => query.collection === index.collection && Object.keys(query.sort).join() === start)
    );
  });
  t.deepEqual(dead, []);
});

test("each listed query says which shards it goes to, or why it goes to all", (t) => {
  t.deepEqual(
    list.filter(({ route, scatters }) => (route === undefined) === (scatters === undefined)),
    [],
  );
});

test("a query that goes to every shard is a fault even if an index serves it", (t) => {
  const ofStore = shapeOf("schedule", { store: "t/demo/s/main", due: { $lte: 1 } });
  const ordered = shapeOf("schedule", {}, { _id: 1 });
  const faults = faultsOf([ofStore, ordered], list, indexes);
  t.is(faults.length, 2);
  for (const fault of faults) t.regex(fault, /"schedule".* goes to every shard: name the ids of its stores/);
});

test("queries without an index and unlisted queries are reported", (t) => {
  const unserved = shapeOf("schedule", { itemId: "x" });
  const unlisted = shapeOf("schedule", { _id: { $gte: "a", $lt: "b" }, due: { $gt: 1 }, itemId: { $gt: 1 } });
  const listed = queries.find(({ collection }) => collection === "journal");
  const [first, second, ...further] = faultsOf([unserved, unlisted, ...(listed ? [listed] : [])], list, indexes);
  t.deepEqual(further, []);
  const faults = [first, second].sort();
  t.regex(faults[0] ?? "", /^no index serves .*"itemId"/);
  t.regex(faults[1] ?? "", /"due".* is not in the list of queries: add it with npm run queries/);
});
