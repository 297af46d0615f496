import { createRequire } from "node:module";
import test from "ava";
import type { BulkWriteResult, WriteConcernError, WriteError } from "mongodb";
import { MongoBulkWriteError, MongoServerError } from "mongodb";
import { refusalOf } from "../../../records/mongodb/refusals.ts";
import { isUnavailable } from "../../../records/mongodb/unavailable.ts";
import { partOf } from "../../harness/part-of.ts";

/** The driver's own codes and lists, which it does not export. */
const driver = createRequire(import.meta.url)("mongodb/lib/error.js");
const codes = Object.values<number>(driver.MONGODB_ERROR_CODES);
const errorOf = (code: number, message = "refused") => new MongoServerError({ message, code });

for (const code of [13435, 11602, 189, 91, 11600, 10107, 13436, 10058, 43, 6, 7, 89, 262, 9001, 134])
  test(`the database is unavailable if it responds with ${code}`, (t) => {
    t.true(isUnavailable(errorOf(code)));
  });

test("every code that the driver would retry, resume or treat as a failover means that the database is unavailable", (t) => {
  const retried = codes.filter((code) => {
    const error = errorOf(code);
    return driver.isRetryableReadError(error) || driver.isStateChangeError(error) || driver.isResumableError(error);
  });
  t.true(retried.length > 10);
  t.deepEqual(
    codes.filter((code) => isUnavailable(errorOf(code)) && refusalOf(errorOf(code)) === undefined),
    retried,
  );
});

test("a refusal for another reason is not a failover, even if its message contains words of a failover", (t) => {
  for (const code of [2, 11_000, 10_334])
    t.false(isUnavailable(errorOf(code, 'the key "not master" of the item "node is recovering"')), String(code));
});

/** A batch's error, with the codes of the failed writes. */
const batchError = (codes: number[], { code, unconfirmed = false }: { code?: number; unconfirmed?: boolean } = {}) => {
  const result = partOf<BulkWriteResult>({
    getWriteConcernError: () => (unconfirmed ? partOf<WriteConcernError>({ code: 64 }) : undefined),
  });
  const failed = codes.map((one) => partOf<WriteError>({ code: one }));
  const error = new MongoBulkWriteError({ message: "refused", code: 0, writeErrors: failed }, result);
  return Object.assign(error, { code, writeErrors: failed.length === 1 ? failed[0] : failed });
};

test("a batch is unavailable by the code of any of its writes, and if its writes are unconfirmed", (t) => {
  for (const codes of [[189], [11_000, 189]]) t.true(isUnavailable(batchError(codes)), `${codes}`);
  t.true(isUnavailable(batchError([11_000], { code: 189 })));
  t.true(isUnavailable(batchError([], { unconfirmed: true })));
  for (const codes of [[], [11_000], [11_000, 2]]) t.false(isUnavailable(batchError(codes)), `${codes}`);
  t.false(isUnavailable(new MongoServerError({ message: "of no code" })));
});
