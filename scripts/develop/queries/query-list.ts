import { existsSync, readFileSync } from "node:fs";
import type { CollectionIndex } from "../../../records/kind.ts";
import { type QueryShape, textOfShape } from "./query-shape.ts";
import { RECORDED_QUERIES } from "./recorded-queries.ts";
import { type Route, routedBy } from "./routed-by.ts";
import { reasonToScatter } from "./scattering.ts";
import { servedBy } from "./served-by.ts";
import { reasonWithout } from "./without-index.ts";

/**
 * A query that the product sends, with the index that serves it (or the reason why it needs none), and the route to its shards
 * (or the reason why it goes to all of them).
 */
export interface ListedQuery {
  query: QueryShape;
  index?: string;
  reason?: string;
  route?: Route;
  scatters?: string;
}

/** The list of all queries that the index on ids does not serve, or that name no ids. */
export const QUERY_LIST = new URL("./query-list.jsonl", import.meta.url);

/** Whether the index on ids, which every collection has, serves a query, and the query's ids determine its shards. */
const isByKey = (shape: QueryShape): boolean => servedBy(shape, []) !== undefined && routedBy(shape) !== undefined;

/** Returns the lines of a file of JSON values; none if there is no file. */
function readLines<Line>(file: URL | string): Line[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Line);
}

export const readQueryList = (): ListedQuery[] => readLines(QUERY_LIST);

/** Collections that only tests have. */
const OF_TESTS = /^test/;

/**
 * Returns the different queries that the tests of the last run sent, except queries by ids and queries of collections that only
 * tests have.
 */
export function readRecorded(): QueryShape[] {
  const shapes = readLines<QueryShape>(RECORDED_QUERIES).filter(
    (shape) => !isByKey(shape) && !OF_TESTS.test(shape.collection),
  );
  return [...new Map(shapes.map((shape) => [textOfShape(shape), shape])).values()];
}

/** Returns queries with their indexes, routes and reasons, ordered by their text. */
export function listQueries(shapes: readonly QueryShape[], indexes: readonly CollectionIndex[]): ListedQuery[] {
  const byText = new Map(shapes.map((query) => [textOfShape(query), query]));
  const texts = [...byText.keys()].sort();
  return texts.flatMap((text) => {
    const query = byText.get(text);
    if (query === undefined) return [];
    const index = servedBy(query, indexes);
    const reason = index === undefined ? reasonWithout(query) : undefined;
    const route = routedBy(query);
    const scatters = route === undefined ? reasonToScatter(query) : undefined;
    return [
      {
        query,
        ...(index && { index }),
        ...(reason && { reason }),
        ...(route && { route }),
        ...(scatters && { scatters }),
      },
    ];
  });
}

/**
 * Returns the faulty recorded queries: those without an index, those that go to every shard, and those missing from the list.
 */
export function faultsOf(
  recorded: readonly QueryShape[],
  list: readonly ListedQuery[],
  indexes: readonly CollectionIndex[],
): string[] {
  const listed = new Set(list.map(({ query }) => textOfShape(query)));
  return listQueries(recorded, indexes).flatMap(({ query, index, reason, route, scatters }) => {
    const text = textOfShape(query);
    if (index === undefined && reason === undefined)
      return [
        `no index serves ${text}: create one (records/indexes.ts), or state the reason (queries/without-index.ts)`,
      ];
    if (route === undefined && scatters === undefined)
      return [
        `${text} goes to every shard: name the ids of its stores or tenant, such as { _id: keysUnder(\`\${store}/\`) }, say where the collection is (records/sharding.ts), or state the reason (queries/scattering.ts)`,
      ];
    return listed.has(text) ? [] : [`${text} is not in the list of queries: add it with npm run queries`];
  });
}
