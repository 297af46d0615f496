import test from "ava";
import { labelStates } from "../../../records/kinds/labels.ts";
import { labelTypes, models, stores } from "../../../records/kinds/tenants.ts";
import { labelKey, labelTypeKey, modelKey, tenantKey } from "../../../schemas/keys.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { bodyOf, openStore, pointersOf, refused, writeLabels } from "../calls.ts";

const shelfwire = ownStack({ workers: ["link", "transmitter"], withFront: true });

const makeLabel = async (name: string, fields: object = {}, type?: string): Promise<string> => {
  const barcode = labelFor(name, type);
  await writeLabels(shelfwire, [{ barcode, ...fields }]);
  return barcode;
};
const flash = (barcode: string, body?: unknown, rest = "flash") =>
  shelfwire.call("POST", `/labels/${barcode}/${rest}`, body);
const resultOf = async (answer: Promise<Response>) => (await bodyOf<{ result: string }>(await answer)).result;
const callsTo = (barcode: string) =>
  (shelfwire.front?.orders() ?? []).filter(({ path }) => path === `/labels/${barcode}/flash`);
/** Returns the last call that the label server received for a label. */
const lastCall = (barcode: string) =>
  eventually(`a flash of ${barcode}`, async () => {
    const call = callsTo(barcode).at(-1);
    return call && { headers: call.headers, body: JSON.parse(String(call.body)) };
  });
/** Returns the results of a label's flashes, newest first. */
const flashResults = async (barcode: string) => {
  const history = await bodyOf<{ event: string; result: string }[]>(
    await shelfwire.call("GET", `/labels/${barcode}/history`),
  );
  return history.filter(({ event }) => event === "flash").map(({ result }) => result);
};

test("a flash without a body lasts 4 seconds in a strong GREEN and goes ahead of everything else", async (t) => {
  const barcode = await makeLabel("plain");
  t.is(await resultOf(flash(barcode)), "OK");
  const { headers, body } = await lastCall(barcode);
  t.deepEqual(body, { duration: 4, color: "GREEN", flashType: 50 });
  t.like(headers, { priority: "high", store: DEMO_STORE, transceiver: "T1, T2, T3" });
  t.regex(String(headers["idempotency-key"]), new RegExp(`^${barcode}-flash-\\d+$`));
});

test("an empty body counts as no body, with or without a content type", async (t) => {
  const barcode = await makeLabel("empty");
  for (const headers of [{}, { "content-type": "application/json" }]) {
    const authorization = `Bearer ${await shelfwire.token()}`;
    const url = `${shelfwire.base}/labels/${barcode}/flash`;
    t.is((await fetch(url, { method: "POST", headers: { authorization, ...headers } })).status, 200);
  }
});

test("every field of the call reaches the label server", async (t) => {
  const barcode = await makeLabel("whole");
  const body = { duration: 61, realTime: false, color: "rgb(250,240,30)", flashType: 20, more: "is ignored" };
  t.is(await resultOf(flash(barcode, body)), "OK");
  const { headers, body: sent } = await lastCall(barcode);
  t.deepEqual(sent, { duration: 61, color: "YELLOW", flashType: 20 });
  t.is(headers.priority, "normal");
});

test("a flash starts, and a duration of 0 stops it", async (t) => {
  const barcode = await makeLabel("lit");
  const { labels } = shelfwire.labelServer;
  const lit = () => {
    const label = labels.get(barcode);
    return label ? labels.flashOf(label) : null;
  };
  await flash(barcode, { duration: 1800, color: "#FF0000" });
  await eventually("the label flashes", async () => lit() !== null);
  t.deepEqual(lit(), { duration: 1800, color: "RED", flashType: 50, priority: "high" });
  await flash(barcode, { duration: 0 });
  await eventually("the label no longer flashes", async () => lit() === null);
  t.pass();
});

test("a segment label's duration is rounded up", async (t) => {
  const barcode = await makeLabel("segments", {}, "1210");
  t.is(await resultOf(flash(barcode, { duration: 61 })), "OK");
  t.is((await lastCall(barcode)).body.duration, 300);
});

test("each invalid field of a flash returns 400, with its path", async (t) => {
  const barcode = await makeLabel("refused");
  const bad = { duration: 1801, realTime: "yes", color: "#fff", flashType: 11 };
  const places = ["/color", "/duration", "/flashType", "/realTime"];
  t.deepEqual(pointersOf(await refused(t, await flash(barcode, bad), 400)), places);
  await refused(t, await flash(barcode, "[1]"), 400);
  t.deepEqual(callsTo(barcode), []);
});

test("an unknown label and an invalid barcode both return 404", async (t) => {
  await refused(t, await flash(labelFor("nowhere")), 404);
  await refused(t, await flash("4711"), 404);
});

/** Adds a label type that cannot flash. */
async function makeDarkLabel(): Promise<string> {
  const { commit } = shelfwire.system;
  const tenant = tenantKey(TENANT_ID);
  const type = { type: 1999, width: 152, height: 152, colors: [], display: "matrix" as const, flash: false, pages: 1 };
  await commit.change(labelTypes, [labelTypeKey(tenant, 1999)], () => type, "bulk");
  await commit.change(
    models,
    [modelKey(tenant, "Dark")],
    () => ({ name: "Dark", labelTypes: [1999], linkPositions: 1 }),
    "bulk",
  );
  return makeLabel("dark", {}, "1999");
}

test("a label type that cannot flash returns UNSUPPORTED, and nothing is sent", async (t) => {
  const barcode = await makeDarkLabel();
  t.is(await resultOf(flash(barcode)), "UNSUPPORTED");
  t.deepEqual(callsTo(barcode), []);
});

test("an OFFLINE label returns UNREACHABLE, and nothing is sent", async (t) => {
  const barcode = await makeLabel("lost");
  const lost = { ...newLabelState(), wanted: [{ page: 0, image: "a" }], lastSeen: new Date("2026-01-01") };
  const store = (state: LabelState) =>
    shelfwire.system.commit.change(labelStates, [labelKey(DEMO_STORE, barcode)], () => state, "bulk");
  await store(lost);
  t.is(await resultOf(flash(barcode)), "OK", "a label that never checks in may be in reach");
  await eventually("the flash was sent", async () => callsTo(barcode).length === 1);
  await store({ ...lost, checksIn: true });
  t.is(await resultOf(flash(barcode)), "UNREACHABLE");
  t.is(await resultOf(flash(barcode, { linkDepartment: "warehouse" }, "flash-with-department")), "UNREACHABLE");
  t.is(callsTo(barcode).length, 1);
});

test("a label without a transceiver returns UNREACHABLE", async (t) => {
  const bare = await openStore(shelfwire, "bare-of-transceivers");
  const barcode = labelFor("unreached");
  await writeLabels(bare, [{ barcode }]);
  const store = "t/demo/s/bare-of-transceivers";
  await shelfwire.system.commit.change(
    stores,
    [store],
    (_, current) => current && { ...current, linkDepartments: [] },
    "bulk",
  );
  const result = await eventually("the API has read the new label type", async () => {
    const answer = await resultOf(bare.call("POST", `/labels/${barcode}/flash`));
    return answer !== "OK" && answer;
  });
  t.is(result, "UNREACHABLE");
});

test("a flash uses the label's homeTrx first and then its department's transceivers", async (t) => {
  const department = await makeLabel("in a department", { linkDepartment: "sales-floor" });
  await flash(department);
  t.is((await lastCall(department)).headers.transceiver, "T1, T2");
  const home = await makeLabel("at home", { linkDepartment: "sales-floor", homeTrx: "T3" });
  await flash(home);
  t.is((await lastCall(home)).headers.transceiver, "T3");
});

test("flash-with-department uses that department once, by ID or alias, and stores nothing", async (t) => {
  const barcode = await makeLabel("elsewhere", { linkDepartment: "warehouse", homeTrx: "T3" });
  const before = await bodyOf(await shelfwire.call("GET", `/labels/${barcode}`));
  for (const linkDepartment of ["1", "sales-floor"]) {
    const already = callsTo(barcode).length;
    const body = { linkDepartment, duration: 9, color: "#0000ff" };
    t.is(await resultOf(flash(barcode, body, "flash-with-department")), "OK");
    await eventually("the flash is sent", async () => callsTo(barcode).length > already);
    const { headers, body: sent } = await lastCall(barcode);
    t.is(headers.transceiver, "T1, T2");
    t.deepEqual(sent, { duration: 9, color: "BLUE", flashType: 50 });
  }
  t.deepEqual(await bodyOf(await shelfwire.call("GET", `/labels/${barcode}`)), before);
});

test("flash-with-department accepts a valid barcode without a label and creates no label", async (t) => {
  const barcode = labelFor("to be found");
  t.is(await resultOf(flash(barcode, { linkDepartment: "2" }, "flash-with-department")), "OK");
  t.is((await lastCall(barcode)).headers.transceiver, "T3");
  await refused(t, await shelfwire.call("GET", `/labels/${barcode}`), 404);
  await refused(t, await shelfwire.call("GET", `/labels/${barcode}/history`), 404);
  const segment = labelFor("to be found", "1210");
  await flash(segment, { linkDepartment: "2", duration: 5 }, "flash-with-department");
  t.is((await lastCall(segment)).body.duration, 8);
});

test("flash-with-department requires a known department", async (t) => {
  const barcode = await makeLabel("nowhere to go");
  await refused(t, await flash(barcode, undefined, "flash-with-department"), 400);
  for (const body of [{}, { linkDepartment: null }, { linkDepartment: "" }, { linkDepartment: "attic" }]) {
    t.deepEqual(pointersOf(await refused(t, await flash(barcode, body, "flash-with-department"), 400)), [
      "/linkDepartment",
    ]);
  }
  await refused(t, await flash(labelFor("x", "9999"), { linkDepartment: "1" }, "flash-with-department"), 404);
  await refused(t, await flash("4711", { linkDepartment: "1" }, "flash-with-department"), 404);
});

test("the history lists the label server's refusal", async (t) => {
  const barcode = await makeLabel("unwanted");
  shelfwire.front?.answer(({ path }) => (path.includes(barcode) ? { status: 404 } : undefined));
  t.is(await resultOf(flash(barcode)), "OK");
  const history = await eventually(
    "the result is recorded",
    async () => (await flashResults(barcode)).length > 0 && flashResults(barcode),
  );
  // A job that stalls on a busy machine records its result twice.
  t.deepEqual(new Set(history), new Set(["refused"]));
});

test("a label with the name refresh can be flashed only through its model's name: the literal segment wins", async (t) => {
  const problem = await refused(t, await flash("refresh"), 404);
  t.regex(problem.detail, /model "flash"/);
  t.regex((await refused(t, await flash("refresh", {}, "flash-with-department"), 404)).detail, /model/);
});

test("a token without labels:write cannot flash a label", async (t) => {
  const barcode = await makeLabel("forbidden");
  const authorization = `Bearer ${await shelfwire.token({ scope: "labels:read items:write" })}`;
  for (const path of [`/labels/${barcode}/flash`, "/items/x/flash", "/flash/items"]) {
    await refused(t, await shelfwire.call("POST", path, {}, { authorization }), 403);
  }
});
