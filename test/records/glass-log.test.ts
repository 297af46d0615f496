import test from "ava";
import { openGlassLog } from "../../records/glass-log.ts";
import type { GlassEntry } from "../../schemas/glass.ts";
import { EVERY_KEY } from "../../schemas/keys.ts";
import { wrapped } from "../harness/databases/wrapped-db.ts";
import { ownDatabase } from "../harness/own.ts";

const database = ownDatabase();
const STORE = "t/demo/s/main";
const at = (hour: number): Date => new Date(Date.UTC(2026, 2, 3, hour));
const entry = (label: string, hour: number, price: string, differs: Partial<GlassEntry> = {}): GlassEntry => ({
  label: `${STORE}/labels/${label}`,
  store: STORE,
  page: 0,
  image: "a".repeat(64),
  transmission: at(hour).getTime(),
  at: at(hour),
  items: [{ itemId: "apple", price, rev: 1 }],
  tookMs: 1_000,
  ...differs,
});
const shownAt = async (label: string, hour: number, page = 0) => {
  const found = await openGlassLog(database.db).readAt([{ label: `${STORE}/labels/${label}`, page }], at(hour));
  return found[0]?.items[0]?.price;
};

test("at a given time, a label showed the picture that it had last acknowledged", async (t) => {
  const log = openGlassLog(database.db);
  await log.add([entry("A", 8, "1.99"), entry("A", 12, "1.49"), entry("A", 10, "1.79"), entry("AB", 11, "9.99")]);
  t.is(await shownAt("A", 7), undefined);
  t.is(await shownAt("A", 8), "1.99");
  t.is(await shownAt("A", 11), "1.79");
  t.is(await shownAt("A", 23), "1.49");
  t.is(await shownAt("AB", 23), "9.99");
});

test("each page of a label has its own entries", async (t) => {
  await openGlassLog(database.db).add([entry("pages", 8, "1.99"), entry("pages", 9, "2.99", { page: 1 })]);
  t.is(await shownAt("pages", 10), "1.99");
  t.is(await shownAt("pages", 10, 1), "2.99");
});

test("adding an entry again keeps the first one", async (t) => {
  const log = openGlassLog(database.db);
  await log.add([entry("again", 8, "1.99")]);
  await log.add([entry("again", 8, "7.77"), entry("again", 9, "2.99")]);
  t.is(await shownAt("again", 8), "1.99");
  t.is(await shownAt("again", 9), "2.99");
});

test("times to the glass are read for one store from a given time on; a picture that the label already showed has no such time", async (t) => {
  const log = openGlassLog(database.db);
  const ofStore = { store: "t/demo/s/timed", label: "t/demo/s/timed/labels/A" };
  const { tookMs: _, ...repeated } = entry("A", 15, "1.99", ofStore);
  await log.add([
    entry("A", 13, "1", { ...ofStore, tookMs: 1 }),
    entry("A", 14, "2", { ...ofStore, tookMs: 2 }),
    repeated,
    entry("other store", 14, "3"),
  ]);
  const found = (await Array.fromAsync(log.scanTimes("t/demo/s/timed", at(14)))).flat();
  t.deepEqual(found, [{ at: at(14), tookMs: 2 }, { at: at(15) }]);
});

test.serial("entries before a given time are deleted", async (t) => {
  const log = openGlassLog(database.db);
  await log.add([entry("old", 1, "1.99"), entry("old", 3, "2.99")]);
  t.true((await log.forget(at(2), EVERY_KEY)) > 0);
  t.is(await shownAt("old", 1), undefined);
  t.is(await shownAt("old", 3), "2.99");
});

test("an entry that the database refuses is reported, unless it is a duplicate", async (t) => {
  const away = wrapped(database.db, async () => {
    throw new Error("the database is unreachable");
  });
  await t.throwsAsync(openGlassLog(away).add([entry("refused", 8, "1.99")]), {
    message: "the database is unreachable",
  });
  await openGlassLog(away).add([]);
});

test.serial("many entries are deleted in batches until the turn ends", async (t) => {
  const log = openGlassLog(database.db);
  await log.forget(new Date("2100-01-01"), EVERY_KEY);
  const many = Array.from({ length: 1_500 }, (_, index) => entry(`many-${index}`, 1, "1.99"));
  await log.add(many);
  t.is(await log.forget(at(2), EVERY_KEY, async () => false), 1_000);
  t.is(await log.forget(at(2), EVERY_KEY, async () => true), 500);
});
