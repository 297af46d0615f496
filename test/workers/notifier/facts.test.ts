import test from "ava";
import { applyReport } from "../../../domain/labels/apply-report.ts";
import { beginSend } from "../../../domain/labels/next-transmission.ts";
import { lastMonday } from "../../../domain/notifications/weekly.ts";
import { createKeepActivity } from "../../../queues/activity/keep-activity.ts";
import { openActivityLog } from "../../../records/activity/activity-log.ts";
import { openCallNotes } from "../../../records/activity/call-notes.ts";
import { labelStates, labels } from "../../../records/kinds/labels.ts";
import { eslImages } from "../../../records/kinds/pictures.ts";
import { openJournal } from "../../../records/requests/journal.ts";
import type { ActivityContent } from "../../../schemas/activity.ts";
import type { Hold } from "../../../schemas/held-request.ts";
import { labelKey, storeKey } from "../../../schemas/keys.ts";
import type { Label } from "../../../schemas/label.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import { takeImage } from "../../../workers/transmitter/wanted-image.ts";
import { ownSystem } from "../../harness/own.ts";
import { picture, report, settings } from "../transmitter/states.ts";
import { notifiedPeople, TENANT } from "./notified-people.ts";

const own = ownSystem();
const people = notifiedPeople(own);
const main = storeKey(TENANT, "main");
const DAY_MINUTES = 24 * 60;

test.serial.before(async () => {
  await people.addStore("main", "Europe/Zagreb");
  await people.addStore("other", "America/New_York");
});

const change = (keys: string[], decide: (key: string, state: LabelState | undefined) => LabelState) =>
  own.system.commit.change(labelStates, keys, decide, "bulk");
const numbered = { ...settings, leastNumber: (now: Date) => now.getTime() };

/** A label whose picture was made just now and is being sent. */
async function sendTo(barcode: string): Promise<string> {
  const key = labelKey(main, barcode);
  const made = await own.system.commit.change(eslImages, [key], () => picture("one"), "bulk");
  const image = made.get(key);
  if (image === undefined) throw new Error(`no picture of ${barcode}`);
  const wanted = takeImage(newLabelState(), image, people.now());
  await change([key], () => beginSend(wanted, people.now(), numbered)?.state ?? wanted);
  return key;
}
const confirm = (key: string) =>
  change([key], (_, state = newLabelState()) =>
    applyReport(
      state,
      { ...report("acknowledged", 0, { transmission: state.transmissions }), at: people.now().toISOString() },
      people.now(),
    ),
  );

test.serial("a label is late after as many minutes as a person chose, until it confirms its picture", async (t) => {
  await people.setUser("ana", ["main"], "manager");
  await people.setUser("ivo", "*", "manager");
  await people.choose("sub ana", ["LATE_LABELS"]);
  await people.choose("sub ivo", ["LATE_LABELS"], { lateMinutes: 60 });
  const keys = [await sendTo("L1"), await sendTo("L2")];
  await people.look(5);
  t.deepEqual(await people.toldTo("sub ana"), []);
  await people.look(11);
  t.deepEqual(await people.toldTo("sub ana"), ["LATE_LABELS BEGUN main 2"]);
  t.deepEqual(await people.toldTo("sub ivo"), []);
  await people.look(46);
  t.deepEqual(await people.toldTo("sub ana"), []);
  t.deepEqual(await people.toldTo("sub ivo"), ["LATE_LABELS BEGUN main 2"]);

  // The label was in ERROR and has checked in, so its picture is sent again under a new number.
  await confirm(keys[0] ?? "");
  const woken = (_: string, state = newLabelState()) => {
    const again = { ...state, givenUp: "no report", sending: undefined, sendDue: people.now() };
    return beginSend(again, people.now(), numbered)?.state ?? again;
  };
  await change([keys[1] ?? ""], woken);
  await people.look(1);
  t.deepEqual(await people.toldTo("sub ana"), [], "a new attempt does not end the wait");

  // These labels with a picture that was just made are due earlier, and must not hide the late label.
  const fresh = Array.from({ length: 2_001 }, (_, index) => labelKey(main, `F${index}`));
  const imageRev = people.now().getTime();
  await change(fresh, () => ({
    ...newLabelState(),
    ...{ wanted: [{ page: 0, image: "new" }], imageRev, sendDue: new Date(0) },
  }));
  await people.look(1);
  t.deepEqual(await people.toldTo("sub ana"), []);
  await change(fresh, () => newLabelState());
  await confirm(keys[1] ?? "");
  await people.look(1);
  t.deepEqual(await people.toldTo("sub ana"), ["LATE_LABELS OVER main 0"]);
  t.deepEqual(await people.toldTo("sub ivo"), ["LATE_LABELS OVER main 0"]);
});

const hold: Hold = {
  ...{ whole: [], rows: [], count: 3, digest: "digest", state: "WAITING", open: true, mark: "mark" },
  ...{ sentBy: { kind: "user", id: "eva", channel: "api" }, expiresAt: new Date("2100-01-01") },
} as unknown as Hold;
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ itemId: `item ${index}`, price: "1.99" }));
const accept = (store: string, count: number, more: { hold?: Hold; list?: string }) =>
  own.system.accept({ store, operation: "patch-items", rows: rowsOf(count), ordered: true, ...more });

test.serial("a held request is reported once and closed when it is decided, however many are held", async (t) => {
  await people.choose("sub ana", ["HELD"]);
  const numbers: number[] = [];
  for (let count = 0; count < 52; count += 1) numbers.push((await accept(main, 1, { hold }))[0]?.number ?? 0);
  await people.look(1);
  t.deepEqual(
    await people.toldTo("sub ana"),
    numbers.toReversed().map(() => "HELD BEGUN main 3"),
  );
  for (const number of numbers.slice(-5))
    t.true(await own.system.holds.change(main, number, hold, { state: "REFUSED" }));
  await people.look(1);
  t.deepEqual(await people.toldTo("sub ana"), []);
  t.is((await people.read("sub ana"))?.open.length, 47);
  for (const number of numbers) await own.system.holds.change(main, number, hold, { state: "REFUSED" });
  await people.look(1);
  t.deepEqual((await people.read("sub ana"))?.open, []);
});

const settle = (chunks: readonly { _id: string; size: number; firstRow: number }[]) => {
  const failed = ({ size, firstRow }: { size: number; firstRow: number }) =>
    rowsOf(firstRow + size)
      .slice(firstRow)
      .map(({ itemId }) => ({ itemId, status: "ERROR" as const, errors: [] }));
  return openJournal(own.system.db, own.system.now).settle(new Map(chunks.map((chunk) => [chunk._id, failed(chunk)])));
};
async function enter(): Promise<void> {
  const { db, now } = own.system;
  await createKeepActivity({ ...own.system, activityLog: openActivityLog(db), callNotes: openCallNotes(db, now) })();
}

test.serial(
  "a price list's failed rows are reported once to everybody who chose this before they failed; failed single changes never are",
  async (t) => {
    // These people's clock starts at the database's time, which dates the requests.
    const present = notifiedPeople(own);
    const shop = storeKey(TENANT, "other");
    const earlier = await accept(shop, 1_001, { list: "" });
    await settle(earlier);
    await enter();
    present.setNow(new Date((earlier[0]?.drawnAt.getTime() ?? 0) + 1));
    await present.setUser("ana", ["other"], "manager");
    // The first check of all. Failures between the choice and this check are reported, but earlier ones are not.
    await present.choose("sub ana", ["FAILED_LIST"]);
    await present.choose("sub ivo", ["FAILED_LIST"]);
    await settle(await accept(shop, 1, {}));
    await settle(await accept(shop, 1_001, { list: "spring" }));
    await settle(await accept(shop, 2, { list: "spring" }));
    await enter();
    await present.look(1);
    for (const caller of ["sub ana", "sub ivo"])
      t.deepEqual(await present.toldTo(caller), ["FAILED_LIST HAPPENED other 1003"], caller);
    // Each check runs in another process, since the cursor is stored.
    await present.look(1);
    t.deepEqual(await present.toldTo("sub ana"), []);
    await settle(await accept(shop, 101, { list: "" }));
    await enter();
    await present.look(1);
    t.deepEqual(await present.toldTo("sub ana"), ["FAILED_LIST HAPPENED other 101"]);
  },
);

test.serial(
  "failures since the last check are reported over several checks, and a request only once all of its parts are logged",
  async (t) => {
    await people.addStore("busy", "UTC");
    const busy = storeKey(TENANT, "busy");
    const log = openActivityLog(own.system.db);
    await people.setUser("ana", ["busy"], "manager");
    await people.choose("sub ana", ["FAILED_LIST"]);
    const at = people.now().toISOString();
    const rows = JSON.stringify([{ itemId: "milk", failed: "ERROR" }]);
    const entry = (request: number, more: Partial<ActivityContent> = {}): ActivityContent => ({
      ...{ at, operation: "campaign-items", request, part: 0, parts: 1, status: "FAILED", items: [], labels: [], rows },
      ...more,
    });
    let end = (await log.readEnds([busy])).get(busy);
    async function append(contents: ActivityContent[], number: number, parts = 0): Promise<void> {
      if (end === undefined) throw new Error("no log");
      const last = (await log.append(end, contents)).at(-1);
      end = { ...end, place: last?.place ?? 0, hash: last?.hash ?? "", number, parts };
      await log.moveEnd(end);
    }
    const numbers = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);
    await append(
      numbers(1, 60).map((request) => entry(request)),
      60,
    );
    await append(
      numbers(61, 2_000).map((request) => entry(request, { status: "DONE", rows: "[]" })),
      2_060,
    );
    await append([entry(2_061, { parts: 2 })], 2_060, 1);
    const told: number[] = [];
    for (let look = 0; look < 4; look += 1) {
      await people.look(1);
      told.push((await people.toldTo("sub ana")).length);
    }
    t.deepEqual(told, [50, 10, 0, 0]);
    await append([entry(2_061, { part: 1, parts: 2 })], 2_061);
    await people.look(1);
    t.deepEqual(await people.toldTo("sub ana"), ["FAILED_LIST HAPPENED busy 2"]);
  },
);

test.serial("batteries to replace are reported once a week, on Mondays at seven by the store's clock", async (t) => {
  const other = storeKey(TENANT, "other");
  for (const barcode of ["B1", "B2", "B3"]) {
    const key = labelKey(other, barcode);
    const label = { barcode, type: 1328, modelName: "Single", stamps: {} } as unknown as Label;
    await own.system.commit.change(labels, [key], () => label, "bulk");
    await change([key], () => ({ ...newLabelState(), battery: barcode === "B3" ? "OK" : "LOW" }));
  }
  await people.setUser("ana", ["other"], "manager");
  await people.choose("sub ana", ["BATTERIES"]);
  const week = new Date(people.now().getTime() + 7 * DAY_MINUTES * 60_000);
  const monday = lastMonday(week, "America/New_York");
  await people.look((monday.getTime() - people.now().getTime()) / 60_000 - 30);
  t.deepEqual(await people.toldTo("sub ana"), []);
  await people.look(31);
  t.deepEqual(await people.toldTo("sub ana"), ["BATTERIES HAPPENED other 2"]);
  await people.addStore("other", "America/Los_Angeles");
  await people.look(DAY_MINUTES);
  t.deepEqual(await people.toldTo("sub ana"), [], "a store that moves to another time zone is not counted again");
  await people.look(6 * DAY_MINUTES + 3 * 60);
  t.deepEqual(await people.toldTo("sub ana"), ["BATTERIES HAPPENED other 2"]);
});
