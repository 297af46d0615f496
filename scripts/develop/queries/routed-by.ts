import { reasonToStayWhole, SHARDED } from "../../../records/sharding.ts";
import type { Condition, QueryShape } from "./query-shape.ts";

/** What determines the shards of a query: its ids, or that its collection is on a single shard. */
export type Route = "ids" | "one shard";

/** Returns the route of a query. Undefined if it goes to every shard, or if nothing determines where its collection is. */
export function routedBy({ collection, where, either }: QueryShape): Route | undefined {
  if (reasonToStayWhole(collection) !== undefined) return "one shard";
  if (!SHARDED.includes(collection)) return undefined;
  return namesIds(where) || either?.every(namesIds) ? "ids" : undefined;
}

const namesIds = ({ _id }: Readonly<Record<string, Condition>>): boolean =>
  _id === "one" || _id === "some" || _id === "range";
