import type { CollectionIndex } from "../../../records/kind.ts";
import type { Condition, QueryShape } from "./query-shape.ts";

/** The index that every collection has. */
const IDS = { keys: { _id: 1 }, unique: true } as const;

/**
 * Returns the indexes that serve a query, as a string. Undefined if none does. An index serves a query if the matches are one
 * run of its entries (or one run for each of several requested values), in the order of the sort. So the server reads no entry
 * that does not match, and sorts nothing. The index's first fields are those for which one value is requested. Then come the
 * fields of the sort, or the field for which a range is requested. Ids that are named one by one, and all fields of a unique
 * index, serve a query regardless of its other conditions.
 */
export function servedBy(shape: QueryShape, indexes: readonly CollectionIndex[]): string | undefined {
  const own = [{ ...IDS, collection: shape.collection }, ...indexes].filter(
    ({ collection }) => collection === shape.collection,
  );
  const whole = own.find((index) => serves(index, shape));
  if (whole) return textOf(whole);
  const branches = shape.either?.map((branch) => {
    const { either: _, ...rest } = shape;
    return servedBy({ ...rest, where: { ...shape.where, ...branch } }, indexes);
  });
  if (branches === undefined || branches.includes(undefined)) return undefined;
  return [...new Set(branches)].join(" or ");
}

/** Returns an index as a string: `{ urgency: 1, drawnAt: 1 } where {"open":true}`. */
export const textOf = ({ keys, partial }: Pick<CollectionIndex, "keys" | "partial">): string => {
  const fields = Object.entries(keys).map(([field, direction]) => `${field}: ${direction}`);
  return `{ ${fields.join(", ")} }${partial ? ` where ${JSON.stringify(partial)}` : ""}`;
};

const isOne = (condition: Condition | undefined): boolean =>
  condition === "one" || condition === "true" || condition === "false" || condition === "absent";

function serves(index: CollectionIndex, { where: all, either, sort }: QueryShape): boolean {
  // Excluded ids are listed one by one, and the server skips these few entries. The ids of the requested stores or tenant
  // exclude nothing. They only determine the shard.
  const { _id, ...others } = all;
  const where = _id === "other" || (_id === "range" && (all.store ?? all.tenant) !== undefined) ? others : all;
  if (!holdsAll(index, where)) return false;
  const keys = Object.entries(index.keys);
  if (index.unique && keys.every(([field]) => isOne(where[field]) || where[field] === "some")) return true;
  const open = keys.findIndex(([field]) => !isOne(where[field]));
  const [fixed, rest] = open < 0 ? [keys, []] : [keys.slice(0, open), keys.slice(open)];
  const known = new Set([...fixed.map(([field]) => field), ...Object.keys(index.partial ?? {})]);
  const [asked, ...further] = Object.keys(where).filter((field) => !known.has(field));
  if (asked !== undefined && (asked !== rest[0]?.[0] || !isRun(where[asked]) || further.length > 0)) return false;
  const order = Object.entries(sort).filter(([field]) => !isOne(where[field]));
  if (order.length === 0) return either === undefined && (Object.keys(where).length > 0 || index.partial !== undefined);
  return where[asked ?? ""] !== "some" && isOrderOf(rest, order);
}

/** Whether a query's condition on a field selects one run of its values, or a few runs. */
const isRun = (condition: Condition | undefined): boolean =>
  condition === "range" || condition === "some" || condition === "present";

/** Whether the fields of a sort are the next fields of an index, all in its direction or all against it. */
function isOrderOf(keys: readonly [string, 1 | -1][], order: readonly [string, 1 | -1][]): boolean {
  const directions = order.map(([field, direction], place) => {
    const [key, way] = keys[place] ?? [];
    return key === field ? direction * (way ?? 0) : 0;
  });
  return directions[0] !== 0 && directions.every((direction) => direction === directions[0]);
}

/** Whether an index contains every document that can match. A sparse or partial index leaves some out. */
function holdsAll({ keys, sparse, partial = {} }: CollectionIndex, where: QueryShape["where"]): boolean {
  const isThere = (field: string) =>
    where[field] !== undefined && where[field] !== "absent" && where[field] !== "other";
  if (sparse && !Object.keys(keys).some(isThere)) return false;
  return Object.entries(partial).every(([field, asked]) => {
    if (typeof asked === "boolean") return where[field] === `${asked}`;
    const [operator] = Object.keys(asked as object);
    return operator === "$exists" ? isThere(field) : where[field] === "range";
  });
}
