import { randomUUID } from "node:crypto";
import test from "ava";
import {
  type BulkWriteResult,
  MongoBulkWriteError,
  MongoServerError,
  type WriteConcernError,
  type WriteError,
} from "mongodb";
import { duplicateKeysOf, isDuplicateKey } from "../../../records/mongodb/duplicate-keys.ts";
import { ownDatabase } from "../../harness/own.ts";
import { partOf } from "../../harness/part-of.ts";

const database = ownDatabase();
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** A collection created by the test, with one document. */
async function taken() {
  const collection = database.db.collection<{ _id: string; a?: number }>(randomUUID());
  await collection.insertOne({ _id: "taken", a: 1 });
  return collection;
}

test("a single write with a taken key is distinguished from other errors", async (t) => {
  const collection = await taken();
  t.true(isDuplicateKey(await errorOf(collection.insertOne({ _id: "taken" }))));
  const other = await errorOf(collection.updateOne({ _id: "taken" }, { $set: { _id: "another" } }));
  t.true(other instanceof MongoServerError);
  t.false(isDuplicateKey(other));
  t.false(isDuplicateKey(Object.assign(new Error("not of the server"), { code: 11_000 })));
  t.false(isDuplicateKey(undefined));
});

test("a batch names the writes whose keys are taken, and its other writes take effect", async (t) => {
  const collection = await taken();
  const documents = ["new", "taken", "newer", "taken"].map((_id) => ({ _id }));
  const refused = duplicateKeysOf(await errorOf(collection.insertMany(documents, { ordered: false })));
  t.deepEqual(
    refused?.map(({ index }) => index),
    [1, 3],
  );
  t.is(await collection.countDocuments(), 3);
  const [one] = duplicateKeysOf(await errorOf(collection.insertMany([{ _id: "taken" }], { ordered: false }))) ?? [];
  t.is(one?.index, 0);
});

test("a batch with a write that was refused for another reason has failed", async (t) => {
  const collection = await taken();
  const error = await errorOf(
    collection.bulkWrite(
      [
        { insertOne: { document: { _id: "taken" } } },
        { updateOne: { filter: { _id: "taken" }, update: { $set: { _id: "another" } } } },
      ],
      { ordered: false },
    ),
  );
  t.true(error instanceof MongoBulkWriteError);
  t.is(duplicateKeysOf(error), undefined);
});

test("a batch that failed as a whole or is unconfirmed names no duplicate keys", async (t) => {
  t.is(duplicateKeysOf(new Error("no answer")), undefined);
  const failed = (errors: Partial<WriteError>[], writeConcernErrors: Partial<WriteConcernError>[] = []) =>
    new MongoBulkWriteError(
      { message: "failed", code: 1, writeErrors: errors.map(partOf<WriteError>) },
      partOf<BulkWriteResult>({
        getWriteConcernError: () => writeConcernErrors.map(partOf<WriteConcernError>)[0],
        insertedIds: {},
      }),
    );
  t.is(duplicateKeysOf(failed([])), undefined);
  t.is(duplicateKeysOf(failed([{ code: 11_000 }]))?.length, 1);
  t.is(duplicateKeysOf(failed([{ code: 11_000 }], [{ code: 64 }])), undefined);
});
