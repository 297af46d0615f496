import test from "ava";
import { pino } from "pino";
import { allKinds } from "../../../records/all-kinds.ts";
import { indexesOf } from "../../../records/indexes.ts";
import { eslImages } from "../../../records/kinds/pictures.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import { openLeases } from "../../../records/leases/leases.ts";
import { servedBy } from "../../../scripts/develop/queries/served-by.ts";
import { reasonWithout } from "../../../scripts/develop/queries/without-index.ts";
import { shapesOf } from "../../harness/databases/query-recorder.ts";
import { ownSystem } from "../../harness/own.ts";
import { RESULT_TTL } from "../../harness/system.ts";
import { ago, cleanUpOf, DAY_MS, NOW, STORE } from "./a-clean-up.ts";

const world = ownSystem();
const { runCleanUp, picture, isStored, set, request } = cleanUpOf(world);
test.beforeEach(() => world.system.db.collection("lease").deleteMany({}));

test.serial("work that is not divided is cleaned up by one process at a time", async (t) => {
  const old = await request("leased", RESULT_TTL * 1_000 + 1);
  t.true(await openLeases({ ...world.system, holder: "another", now: ago(0) }).hold("clean-up", 60_000));
  await runCleanUp();
  t.is(await old(), 2);
  await runCleanUp(ago(-60_001));
  t.is(await old(), 0);
});

test.serial(
  "a partition that another process cleans up is skipped, and taken over after that process's lease has ended",
  async (t) => {
    const [first, second] = [
      { $gte: "t/", $lt: "t/m" },
      { $gte: "t/m", $lt: "t0" },
    ];
    const partitions = { all: async () => [first, second] };
    const [ofFirst, ofSecond] = [await picture("a", 2 * DAY_MS, "t/l"), await picture("b", 2 * DAY_MS, "t/m")];
    const killed = openLeases({ ...world.system, holder: "killed", now: ago(0) });
    t.true(await killed.hold(`clean-up of ${first.$gte}`, 60_000));
    await runCleanUp(ago(0), undefined, { partitions });
    t.deepEqual([await isStored(ofFirst, "t/l"), await isStored(ofSecond, "t/m")], [true, false]);
    await runCleanUp(ago(-60_001), undefined, { partitions });
    t.false(await isStored(ofFirst, "t/l"));
  },
);

const recordsOf = ["renderedimage.v1", "ecceslimage.v1", "pageimage.v1", "eslimage.v1", "labelstate"];

test.serial("records are not read for their pictures if each picture was marked as used within a day", async (t) => {
  const kept = await picture("kept for long", 2 * DAY_MS);
  await set(eslImages, `${STORE}/labels/kept-for-long`, { pages: [{ page: 0, image: kept }], shows: [] });
  const first = await shapesOf(() => runCleanUp());
  t.true(first.some(({ collection }) => recordsOf.includes(collection)));
  const second = await shapesOf(() => runCleanUp(ago(-3_600_000)));
  t.deepEqual(
    second.filter(({ collection }) => recordsOf.includes(collection)),
    [],
  );
  t.true(await isStored(kept));
});

test.serial("one tenant's unused picture causes no reads for a tenant without unused pictures", async (t) => {
  const mine = await picture("not old", DAY_MS, "t/quiet");
  await picture("very old", 3 * DAY_MS, "t/busy");
  const scanned: string[] = [];
  const scanFields: typeof world.system.records.scanFields = (kind, prefix, fields) => {
    if (recordsOf.includes(kind.name)) scanned.push(prefix);
    return world.system.records.scanFields(kind, prefix, fields);
  };
  await runCleanUp(ago(0), undefined, { records: { ...world.system.records, scanFields } });
  t.deepEqual([...new Set(scanned)], ["t/busy/"]);
  t.true(await isStored(mine, "t/quiet"));
});

test.serial("every query of the clean-up uses an index", async (t) => {
  const old = await picture("for its shape", 2 * DAY_MS);
  await request("for-its-shape", RESULT_TTL * 1_000 + 1);
  const shapes = await shapesOf(() => runCleanUp());
  const indexes = indexesOf(await allKinds());
  t.deepEqual(
    shapes.filter((shape) => servedBy(shape, indexes) === undefined && reasonWithout(shape) === undefined),
    [],
  );
  t.false(await isStored(old));
});

test.serial(
  "a pass also deletes expired keys, old glass entries and removed tenants, and reports their numbers",
  async (t) => {
    const asked: [string, number, boolean][] = [];
    const forget = (name: string, count: number) => async (before: Date, goOn?: () => Promise<boolean>) => {
      asked.push([name, NOW.getTime() - before.getTime(), (await goOn?.()) ?? false]);
      return count;
    };
    const lines: Record<string, unknown>[] = [];
    const due = ago(1)();
    const gone = `t/gone-${Date.now()}`;
    await set(tenants, gone, { name: "gone", removal: { since: due, due } });
    await runCleanUp(ago(0), world.system.holder, {
      idempotencyKeys: { ...world.system.idempotencyKeys, forget: forget("keys", 3) },
      glassLog: { forget: (before, _, goOn) => forget("glass", 5)(before, goOn) },
      log: pino({}, { write: (line) => void lines.push(JSON.parse(line)) }),
    });
    t.deepEqual(asked, [
      ["keys", RESULT_TTL * 1_000, true],
      ["glass", 35 * DAY_MS, true],
    ]);
    t.like(lines[0], { keys: 3, glass: 5, msg: "deleted data that is no longer needed" });
    t.is((await world.system.records.readRevs(tenants, [gone])).size, 0);
  },
);
