import { resolve } from "node:path";

/** The shapes of the queries that the tests of the last run have seen, one per line. */
export const RECORDED_QUERIES = resolve("node_modules/.cache/query-shapes.jsonl");
