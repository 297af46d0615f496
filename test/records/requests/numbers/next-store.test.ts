import test from "ava";
import { type Chunk, journalCollection } from "../../../../records/requests/journal.ts";
import { openOpenChunks, readGraceEnd } from "../../../../records/requests/open-chunks.ts";
import { ownDatabase } from "../../../harness/own.ts";
import { afterDrawn, DRAWN, storedChunk } from "../stored-chunk.ts";

// Which of a tenant's stores has the next turn, and with which chunks.

const world = ownDatabase();
test.beforeEach(async () => {
  await journalCollection(world.db).deleteMany({});
});

const insert = (...chunks: Chunk[]) => journalCollection(world.db).insertMany(chunks);
const at = (store: string, number: number, given: Partial<Chunk> = {}) => storedChunk({ store, number, ...given });
const VOID = { journaledAt: afterDrawn(60_000) };

/** The next store, with the numbers and indexes of its chunks. */
async function nextOf(after: string, { limit = 10, present = [] as string[], tenant = "t/demo" } = {}) {
  const next = await openOpenChunks(world.db).readNextStore(tenant, after, present, limit);
  return next && [next.store, next.chunks.map(({ number, index }) => `${number}/${index}`).join(" ")];
}

test.serial("a tenant's stores take turns by name, and after the last store there is none", async (t) => {
  await insert(
    at("t/demo/s/b", 1),
    at("t/demo/s/a", 7),
    at("t/demo", 3),
    at("t/demo-2/s/a", 1),
    at("t/dem/s/a", 1),
    at("t/demo/s/c", 5),
  );
  t.deepEqual(await nextOf(""), ["t/demo/s/a", "7/0"]);
  t.deepEqual(await nextOf("t/demo/"), ["t/demo/s/a", "7/0"]);
  t.deepEqual(await nextOf("t/demo/s/a"), ["t/demo/s/b", "1/0"]);
  t.deepEqual(await nextOf("t/demo/s/b"), ["t/demo/s/c", "5/0"]);
  t.is(await nextOf("t/demo/s/c"), undefined);
  t.is(await nextOf("t/zzz"), undefined);
});

test.serial("a store at the tenant's own prefix comes first", async (t) => {
  await insert(at("t/demo/", 1));
  t.deepEqual(await nextOf(""), ["t/demo/", "1/0"]);
  t.is(await nextOf("t/demo/"), undefined, "the store had its turn");
});

test.serial("only chunks that still wait in the journal are returned, by number, up to a limit", async (t) => {
  const store = "t/demo/s/main";
  const parts = [2, 0, 1].map((index) => at(store, 2, { index, chunks: 3 }));
  await insert(
    at(store, 3),
    ...parts,
    at(store, 1),
    at(store, 4, { urgency: "interactive" }),
    at(store, 5, { open: false }),
  );
  t.deepEqual(await nextOf(""), [store, "1/0 2/0 2/1 2/2 3/0"]);
  t.deepEqual(await nextOf("", { limit: 3 }), [store, "1/0 2/0 2/1"]);
  const present = [at(store, 1)._id, at(store, 2, { index: 1 })._id];
  t.deepEqual(await nextOf("", { present, limit: 2 }), [store, "2/0 2/2"]);
});

test.serial(
  "a store whose first chunks are void or incomplete takes its turn with the chunks after them",
  async (t) => {
    const store = "t/demo/s/main";
    const voids = Array.from({ length: 210 }, (_, index) => at(store, index + 1, VOID));
    await insert(...voids, at(store, 300, { chunks: 2 }), ...[301, 302, 303].map((number) => at(store, number)));
    t.deepEqual(await nextOf("", { limit: 2 }), [store, "301/0 302/0"]);
    t.deepEqual(await nextOf("", { limit: 5 }), [store, "301/0 302/0 303/0"]);
  },
);

test.serial(
  "a store with only void chunks takes its turn without a chunk, so that the next store follows",
  async (t) => {
    await insert(at("t/demo/s/a", 1, VOID), at("t/demo/s/b", 1));
    t.deepEqual(await nextOf("", { limit: 1 }), ["t/demo/s/a", ""]);
    t.deepEqual(await nextOf("t/demo/s/a"), ["t/demo/s/b", "1/0"]);
  },
);

test.serial("requests of two stores with the same number are distinguished", async (t) => {
  const half = at("t/demo/s/a", 1, { chunks: 2 });
  const whole = [0, 1].map((index) => at("t/demo/s/b", 1, { index, chunks: 2 }));
  await insert(half, ...whole);
  const { chunks } = await openOpenChunks(world.db).readPage("bulk", undefined, 10);
  t.deepEqual(
    chunks.map(({ _id }) => _id),
    whole.map(({ _id }) => _id),
  );
});

test.serial("all pages are scanned, interactive ones first, and a page says where the next page begins", async (t) => {
  const interactive = at("t/demo/s/main", 2_000, { urgency: "interactive" });
  const bulk = Array.from({ length: 1_001 }, (_, number) =>
    at("t/demo/s/main", number, { drawnAt: afterDrawn(-number) }),
  );
  await insert(...bulk, interactive);
  const openChunks = openOpenChunks(world.db);
  const pages = await Array.fromAsync(openChunks.scan());
  t.deepEqual(
    pages.map(({ length }) => length),
    [1, 1_000, 1],
  );
  t.is(pages.at(-1)?.[0]?.drawnAt.getTime(), DRAWN.getTime(), "the youngest comes last");
  const { next } = await openChunks.readPage("bulk", undefined, 1);
  t.deepEqual(next, { drawnAt: afterDrawn(-1_000), _id: bulk[1_000]?._id ?? "" });
  t.is((await openChunks.readPage("bulk", undefined, 1_002)).next, undefined);
  const behind = await openChunks.readPage("interactive", { drawnAt: DRAWN, _id: interactive._id }, 1);
  t.deepEqual(behind, { chunks: [], dead: [] });
});

test.serial("a chunk's own process may enqueue it for five seconds by the database's clock", async (t) => {
  const databaseTime = async () => DRAWN;
  t.is(await readGraceEnd({ databaseTime }), DRAWN.getTime() - 5_000);
  const before = Date.now();
  const time = (await openOpenChunks(world.db).databaseTime()).getTime();
  t.true(Math.abs(time - before) < 60_000, "the stand-in's clock is this machine's");
});
