import test from "ava";
import { MongoServerError } from "mongodb";
import { ownDatabase } from "../../harness/own.ts";

/** Other tests assume that the test server rejects the same documents as MongoDB. */
const own = ownDatabase();

const MAX_BYTES = 16 * 2 ** 20;
const HALF = "x".repeat(MAX_BYTES / 2);
/**
 * The bytes of a document in addition to its strings `one` and `two`: five for the document, and each field's type, name and
 * length.
 */
const BESIDE = 5 + "_id".length + 7 + "whole".length + 2 * ("one".length + 7);
const codeOf = (error: unknown) => (error instanceof MongoServerError ? error.code : undefined);

test("a document of 16 MiB is stored, and one byte more is refused, by an update and by an upsert", async (t) => {
  const documents = own.db.collection<{ _id: string; one?: string; two?: string }>("documentsize");
  const rest = HALF.slice(BESIDE);
  await documents.insertOne({ _id: "whole", one: HALF });
  await documents.updateOne({ _id: "whole" }, { $set: { two: rest } });
  t.is((await documents.findOne({ _id: "whole" }))?.two?.length, rest.length);

  const larger = { filter: { _id: "whole" }, update: { $set: { two: `${rest}x` } } };
  const error = await documents.updateOne(larger.filter, larger.update).catch((error: unknown) => error);
  t.true([17_419, 10_334].includes(Number(codeOf(error))), String(error));
  const other = { filter: { _id: "other" }, update: { $set: { one: "small" } }, upsert: true };
  const both = [{ updateOne: larger }, { updateOne: other }];
  await t.throwsAsync(documents.bulkWrite(both, { ordered: false }));
  t.is((await documents.findOne({ _id: "other" }))?.one, "small", "the other write of the batch takes effect");
  t.is((await documents.findOne({ _id: "whole" }))?.two?.length, rest.length);

  const grown = await documents
    .findOneAndUpdate({ _id: "other" }, { $set: { one: HALF, two: rest } })
    .catch((error: unknown) => error);
  t.is(codeOf(grown), undefined, "the document has exactly 16 MiB");
  await documents.updateOne({ _id: "new" }, { $set: { one: HALF } }, { upsert: true });
  await t.throwsAsync(documents.findOneAndUpdate({ _id: "new" }, { $set: { two: HALF } }));
});
