import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Collection, Db, type Document, type FindCursor } from "mongodb";
import { type QueryShape, shapeOf } from "../../../scripts/develop/queries/query-shape.ts";
import { RECORDED_QUERIES } from "../../../scripts/develop/queries/recorded-queries.ts";

/**
 * Records, at the driver, the shape of each query that the product sends in this process. Every new shape becomes a line of
 * `RECORDED_QUERIES`. Queries that tests send themselves are left out; they are recognized by the file that calls the driver.
 */
const seen = new Set<string>();
const listeners = new Set<(shape: QueryShape) => void>();

/** Returns the shapes of the queries that `run` sends. */
export async function shapesOf(run: () => Promise<unknown>): Promise<QueryShape[]> {
  const shapes = new Map<string, QueryShape>();
  const listener = (shape: QueryShape) => shapes.set(JSON.stringify(shape), shape);
  listeners.add(listener);
  await run();
  listeners.delete(listener);
  return [...shapes.values()];
}

/** The name of the kind of record that only tests use. */
const OF_TESTS = "testcounter";

function record(shape: QueryShape): void {
  if (shape.collection === OF_TESTS) return;
  for (const listener of listeners) listener(shape);
  const line = JSON.stringify(shape);
  if (seen.has(line)) return;
  if (seen.size === 0) mkdirSync(dirname(RECORDED_QUERIES), { recursive: true });
  seen.add(line);
  appendFileSync(RECORDED_QUERIES, `${line}\n`);
}

const FRAMES = 12;
const TESTS = import.meta.dirname.slice(0, -"harness/databases".length);
/** The folder of developers' tools, whose queries are left out, such as the backup of all collections in the chaos test. */
const TOOLS = "/scripts/develop/";

/** Returns whether the product calls the driver: whether the first frame outside the driver is in neither a test nor a tool. */
function isOfProduct(): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const frames = (new Error().stack ?? "").split("\n").slice(1);
  Error.stackTraceLimit = stackTraceLimit;
  const caller = frames.find((frame) => !frame.includes("query-recorder"));
  return (
    caller !== undefined && !caller.includes("/node_modules/") && !caller.includes(TESTS) && !caller.includes(TOOLS)
  );
}

type Method = (this: Collection, ...args: Document[]) => unknown;
type Watcher = (collection: string, args: readonly Document[], result: unknown) => void;

/** The maximum number of calls examined for each method and filter, because reading a stack costs more than most calls. */
const CALLS_PER_FILTER = 20;
/** The maximum number of calls examined for each method and set of fields, because describing a filter has a cost too. */
const CALLS_PER_FIELDS = 400;
const calls = new Map<string, number>();

/** Starts counting calls from zero for the next file, since the files of a thread share its driver. */
export const forgetCalls = (): void => calls.clear();

/**
 * Returns whether a call is examined. Tests and the product may send the same filter, so examining only its first call is not
 * enough.
 */
function isExamined(name: string, collection: string | undefined, [first = {}]: readonly Document[]): boolean {
  if (listeners.size > 0) return true;
  const asked = name === "bulkWrite" ? (Object.values(first[0] ?? {})[0] as Document)?.filter : (first.filter ?? first);
  const filter = typeof asked === "object" && asked !== null ? asked : {};
  const where = collection ?? `${first.find ?? firstsOf(first).map((one) => one.collection)}`;
  if (countCall(`${name} ${where} ${Object.keys(filter)}`) > CALLS_PER_FIELDS) return false;
  return countCall(`${name} ${JSON.stringify(shapeOf(where, filter))}`) <= CALLS_PER_FILTER;
}

function countCall(key: string): number {
  const count = (calls.get(key) ?? 0) + 1;
  calls.set(key, count);
  return count;
}

/** Passes the product's calls of a method to `onCall`. */
function watch(prototype: object, name: string, onCall: Watcher): void {
  const methods = prototype as Record<string, Method>;
  const method = methods[name];
  if (method === undefined) throw new Error(`the driver has no ${name}`);
  methods[name] = function (...args) {
    const isWatched = isExamined(name, this.collectionName, args) && isOfProduct();
    const result = method.apply(this, args);
    if (isWatched) onCall(this.collectionName, args, result);
    return result;
  };
}

watch(Collection.prototype, "find", (collection, [filter, options], result) => {
  const cursor = result as FindCursor;
  let sort: unknown = options?.sort;
  const setSort = cursor.sort;
  cursor.sort = function (...args) {
    sort = args[0];
    return setSort.apply(this, args);
  };
  // A sort is set in the same tick as the query.
  queueMicrotask(() => record(shapeOf(collection, filter, sort)));
});
for (const name of ["findOne", "countDocuments", "deleteOne", "deleteMany"])
  watch(Collection.prototype, name, (collection, [filter, options]) =>
    record(shapeOf(collection, filter, options?.sort)),
  );
for (const name of ["findOneAndUpdate", "updateOne", "updateMany"])
  watch(Collection.prototype, name, (collection, [filter, , options]) =>
    record(shapeOf(collection, filter, options?.sort)),
  );
watch(Collection.prototype, "aggregate", (collection, [stages]) => record(shapeOf(collection, stages?.[0]?.$match)));
watch(Collection.prototype, "bulkWrite", (collection, [operations]) => {
  for (const operation of operations as readonly Document[]) {
    const { filter } = Object.values(operation)[0];
    if (filter) record(shapeOf(collection, filter));
  }
});
// `distinct` returns the values of a field in all documents: no index on another field bounds them.
watch(Collection.prototype, "distinct", (collection, [field, filter]) =>
  record(shapeOf(collection, { ...filter, [String(field)]: { $all: [] } })),
);
watch(Db.prototype, "command", (_, [command = {}]) => {
  const { find, filter, sort } = command;
  if (find !== undefined) record(shapeOf(find, filter, sort));
  for (const first of firstsOf(command)) record(first);
});

/** Returns the shapes of the finds that one command combines (records/mongodb/find-first-together.ts). */
function firstsOf({ aggregate, pipeline = [] }: Document): QueryShape[] {
  const stages = pipeline as Document[];
  const others = stages.flatMap(({ $lookup }) => ($lookup?.pipeline ? [$lookup] : []));
  const finds = [{ from: aggregate, pipeline: stages }, ...others];
  return finds.flatMap(({ from, pipeline: [match, ...rest] }) => {
    const sort = rest.find((stage: Document) => stage.$sort)?.$sort;
    return rest.some((stage: Document) => stage.$limit === 1) ? [shapeOf(from, match.$match, sort)] : [];
  });
}
