import { randomUUID } from "node:crypto";
import test from "ava";
import { boundUploads } from "../../../api/requests/bound-uploads.ts";
import { openStoredUploads } from "../../../records/files/stored-uploads.ts";
import { openUploads } from "../../../records/files/uploads.ts";
import { ownDatabase } from "../../harness/own.ts";

const world = ownDatabase();

/** Returns the bounded uploads of the test's own tenant, and the clock that the counts use. */
function bounded(most: { uploads?: number; uploadBytes?: number }) {
  const limits = { uploads: 100, uploadBytes: 1_000, ...most };
  const time = { now: 0 };
  const uploads = openUploads(world.db, () => new Date(time.now));
  const readStored = openStoredUploads(world.db, limits.uploads);
  const put = boundUploads(uploads.put, { limits, readStored, clock: () => time.now });
  const tenant = `t/${randomUUID()}`;
  const file = (bytes: number) => Buffer.from(randomUUID().padEnd(bytes, "x"));
  return { time, tenant, uploads, put: (bytes: number, place = "/s/main") => put(`${tenant}${place}`, file(bytes)) };
}

const tooMany = {
  name: "ProblemError",
  message: /^A tenant can have at most 3 stored uploads.* page images .*are kept/,
};
const tooLarge = { name: "ProblemError", message: /^The stored uploads of a tenant can have at most/ };

test("the number and bytes of stored uploads are limited for all stores and designs of a tenant", async (t) => {
  const many = bounded({ uploads: 3 });
  await many.put(40);
  await many.put(40, "/s/other");
  await many.put(40, "");
  await t.throwsAsync(many.put(40), tooMany);
  const large = bounded({});
  await large.put(600);
  await t.throwsAsync(large.put(401, ""), tooLarge);
  await t.notThrowsAsync(large.put(400, ""));
  await t.notThrowsAsync(bounded({}).put(600), "another tenant has its own limit");
});

test("the count drops deleted uploads and includes those of other processes", async (t) => {
  const { time, tenant, uploads, put } = bounded({});
  await put(600);
  await uploads.put(`${tenant}/s/main`, Buffer.alloc(300));
  time.now += 10_000;
  await t.throwsAsync(put(101), tooLarge);
  await uploads.forget(`${tenant}/s/main`, new Date(time.now), new Set());
  time.now += 10_000;
  await t.notThrowsAsync(put(1_000));
});

test("a tenant whose name is a prefix of another's is a different tenant", async (t) => {
  const { tenant, uploads, put } = bounded({});
  for (const other of [`${tenant}0`, `${tenant}-`]) await uploads.put(`${other}/s/main`, Buffer.alloc(1_000));
  await t.notThrowsAsync(put(1_000));
});
