import test from "ava";
import { type BulkWriteResult, MongoBulkWriteError, MongoServerError, type WriteError } from "mongodb";
import { type Refusal, refusalOf } from "../../../records/mongodb/refusals.ts";
import { isUnavailable } from "../../../records/mongodb/unavailable.ts";
import { partOf } from "../../harness/part-of.ts";

const answer = (code: number, message = "refused") => new MongoServerError({ message, code });
const confirmed = partOf<BulkWriteResult>({ getWriteConcernError: () => undefined });
const batch = (code: number, errmsg = "refused") =>
  new MongoBulkWriteError(
    {
      message: errmsg,
      code: 11_000,
      writeErrors: [partOf<WriteError>({ code: 11_000 }), partOf<WriteError>({ code, errmsg })],
    },
    confirmed,
  );

const QUOTA = "you are over your space quota, using 513 MB of 512 MB";

for (const [what, error, refusal] of [
  ["a full disk", answer(14_031), "full"],
  ["a full disk for one write in a batch", batch(14_031), "full"],
  ["Atlas's quota", answer(8_000, QUOTA), "full"],
  ["Atlas's quota for one write in a batch", batch(8_000, QUOTA), "full"],
  ["another refusal from Atlas", answer(8_000, "bad auth : authentication failed"), "denied"],
  ["a wrong password", answer(18), "denied"],
  ["a user without permission", answer(13), "denied"],
] as [string, Error, Refusal][])
  test(`until an operator fixes it, ${what} makes the database unavailable: ${refusal}`, (t) => {
    t.is(refusalOf(error), refusal);
    t.true(isUnavailable(error));
  });

for (const [what, error] of [
  ["a duplicate key", answer(11_000)],
  ["a value that quotes a quota", answer(2, `the item "${QUOTA}"`)],
  ["a batch with other faults", batch(2, QUOTA)],
  ["an error outside the database", new Error(QUOTA)],
] as const)
  test(`a refusal that no operator has to fix: ${what}`, (t) => {
    t.is(refusalOf(error), undefined);
    t.false(isUnavailable(error));
  });
