import test from "ava";
import { forgetWorkMarks } from "../../../../queues/clean-up/work-marks.ts";
import type { IntegrityReport } from "../../../../schemas/integrity.ts";
import { storeKey } from "../../../../schemas/keys.ts";
import type { WorkList } from "../../../../schemas/work-list.ts";
import { STORE_ID, TENANT_ID } from "../../../../scripts/demo/catalogue.ts";
import { hangLabels, proveLabels } from "../../../../scripts/demo/hang-labels.ts";
import { callsOf } from "../../../flow/held/held-calls.ts";
import { labelFor } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf } from "../../calls.ts";
import { manage } from "../../management/calls.ts";

const shelfwire = ownStack({ workers: [], leavesStale: "its labels are written directly, without pictures" });
const names = ["silent", "undrawn", "worn", "held", "fine", "empty"] as const;
const [silent, undrawn, worn, held, fine, empty] = names.map((name) => labelFor(name)) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const STORE = storeKey(TENANT_ID, STORE_ID);
const LONG_AGO = new Date(Date.now() - 30 * 86_400_000);

test.serial.before(async () => {
  const linked = (itemId: string) => ({ links: [{ itemId }], isDrawn: true });
  await hangLabels(shelfwire.system.records, STORE, [
    { barcode: silent, ...linked("a"), state: { lastSeen: LONG_AGO, checksIn: true, battery: "LOW" } },
    { barcode: undrawn, links: [{ itemId: "b" }], state: {} },
    { barcode: worn, ...linked("held"), own: { plLocation: "B-2" }, state: { battery: "LOW" } },
    { barcode: held, ...linked("held"), own: { plLocation: "A-1" }, state: {} },
    { barcode: fine, ...linked("c"), state: {} },
    { barcode: empty, isDrawn: true, state: {} },
  ]);
  await proveLabels(shelfwire.system.records, STORE, new Date(Date.now() + 3_600_000));
  await manage(shelfwire, "PUT", `/stores/${STORE_ID}/price-guards`, { range: { most: "9.99" } });
  await callsOf(shelfwire, "ana").hold([{ itemId: "held", price: "99.00" }]);
});

const read = async (query = "") => bodyOf<WorkList>(await shelfwire.call("GET", `/work${query}`));
const mark = (body: object) => shelfwire.call("POST", "/work/marks", body);
const causesOf = ({ entries }: WorkList) => entries.map(({ barcode, cause }) => [barcode, cause]);

test.serial("each label that needs work is listed once, with its gravest cause, and the counts add up", async (t) => {
  const list = await read();
  t.deepEqual(causesOf(list), [
    [silent, "NOT_ANSWERING"],
    [undrawn, "NOT_SENT"],
    [worn, "BATTERY"],
    [held, "HELD_PRICE"],
  ]);
  t.like(list, { labels: 6, work: 4, troubled: 2, next: null });
  t.is(
    list.causes.reduce((sum, { labels }) => sum + labels, 0),
    list.work,
  );
  t.like(list.entries[2], { plLocation: "B-2", itemIds: ["held"], assignment: null });
  const report = await bodyOf<IntegrityReport>(await manage(shelfwire, "GET", `/stores/${STORE_ID}/integrity`));
  t.is(
    (report.verdicts?.ERROR ?? 0) + (report.verdicts?.OFFLINE ?? 0),
    list.troubled,
    "the overview counts the same labels",
  );
});

test.serial("pages follow each other, for all causes or for one", async (t) => {
  const first = await read("?limit=3");
  t.is(first.entries.length, 3);
  const rest = await read(`?limit=3&after=${first.next}`);
  t.deepEqual(causesOf(rest), [[held, "HELD_PRICE"]]);
  t.deepEqual(causesOf(await read("?cause=BATTERY")), [[worn, "BATTERY"]]);
  t.is((await shelfwire.call("GET", "/work?after=nonsense")).status, 400);
});

test.serial("the list is available as CSV", async (t) => {
  const answer = await shelfwire.call("GET", "/work?format=csv&cause=BATTERY");
  t.is(answer.headers.get("content-type")?.split(";")[0], "text/csv");
  const [head, row] = (await answer.text()).split("\r\n");
  t.is(head, "barcode,plLocation,itemIds,cause,since,state,assignee,expiresAt");
  t.is(row, `${worn},B-2,held,BATTERY,,OPEN,,`);
});

test.serial("work is assigned, done and reopened, and a mark counts only for its cause", async (t) => {
  const assigned = { cause: "BATTERY", barcodes: [worn, "none"], state: "ASSIGNED", assignee: "ivo" };
  t.deepEqual(await bodyOf(await mark(assigned)), { marked: 1, unknown: ["none"] });
  const list = await read("?assignee=ivo");
  t.deepEqual(causesOf(list), [[worn, "BATTERY"]]);
  t.like(list.entries[0]?.assignment, { state: "ASSIGNED", assignee: "ivo", by: { channel: "interface" } });
  t.like(
    list.causes.find(({ cause }) => cause === "BATTERY"),
    { labels: 1, assigned: 1, done: 0 },
  );
  await bodyOf(await mark({ cause: "BATTERY", barcodes: [worn], state: "DONE" }));
  t.like((await read("?cause=BATTERY")).entries[0]?.assignment, { state: "DONE", assignee: "ivo" });
  await bodyOf(await mark({ cause: "BATTERY", barcodes: [worn], state: "OPEN" }));
  t.is((await read("?cause=BATTERY")).entries[0]?.assignment, null);
  await bodyOf(await mark({ cause: "BLANK", barcodes: [worn], state: "DONE" }));
  t.is((await read("?cause=BATTERY")).entries[0]?.assignment, null, "the mark is for another cause");
});

test.serial("marks are removed once they have expired", async (t) => {
  const { db } = shelfwire.system;
  const slice = { goOn: async () => true, renew: async () => true };
  t.is(await forgetWorkMarks({ db }, new Date(), slice), 0);
  t.is(await forgetWorkMarks({ db }, new Date(Date.now() + 25 * 3_600_000), slice), 1);
});

test.serial("a mark without a name is refused, and so is a mark by a caller who may only read", async (t) => {
  const answer = await mark({ cause: "BATTERY", barcodes: [worn], state: "ASSIGNED" });
  t.is(answer.status, 400);
  t.like(await answer.json(), { errors: [{ pointer: "/assignee" }] });
  const authorization = `Bearer ${await shelfwire.token({ scope: "labels:read" })}`;
  const order = { cause: "BATTERY", barcodes: [worn], state: "DONE" };
  t.is((await shelfwire.call("POST", "/work/marks", order, { authorization })).status, 403);
});
