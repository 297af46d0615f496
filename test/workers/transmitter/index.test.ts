import test from "ava";
import type { DisplayPageOrder, FlashOrder } from "../../../schemas/jobs.ts";
import type { Change } from "../../../schemas/topics.ts";
import { labelOrders, transmitter } from "../../../workers/transmitter/index.ts";
import type { OrderKind, TransmitterWorld } from "../../../workers/transmitter/world.ts";
import { partOf } from "../../harness/part-of.ts";

/** A world that records its calls. */
function world() {
  const asked: unknown[] = [];
  let refuse: ((row: string, error: Error) => unknown) | undefined;
  const handlers = transmitter({
    applyChunks: ((apply: unknown, refusing: never) => {
      refuse = refusing;
      return apply;
    }) as TransmitterWorld["applyChunks"],
    showImages: async (...given) => void asked.push(given),
    tryAnew: async (store) => void asked.push(["anew", store]),
    decideWaits: async (store) => void asked.push(["waits", store]),
    promptReports: () => void asked.push("reports"),
    refreshLabels: async () => [],
  });
  return { asked, handlers, refuse: (row: string, error: Error) => refuse?.(row, error) };
}

const change = (key: string, urgency: Change["urgency"]) => ({ key, urgency }) as Change;

test("changed pictures are sent to their labels, as urgently as the most urgent change", async (t) => {
  const { asked, handlers } = world();
  await handlers["eslimage.v1"]([change("a", "bulk"), change("b", "bulk")]);
  await handlers["eslimage.v1"]([change("c", "interactive")]);
  t.deepEqual(asked, [
    [["a", "b"], "bulk"],
    [["c"], "interactive"],
  ]);
});

test("labels of a store with changed transceivers are retried, and labels of other stores are not", async (t) => {
  const { asked, handlers } = world();
  await handlers.store([
    { ...change("one", "bulk"), changed: ["linkDepartments"] },
    { ...change("two", "bulk"), changed: ["name", "currency"] },
    { ...change("three", "bulk"), changed: ["name", "labelServer"] },
  ]);
  t.deepEqual(asked, [
    ["anew", "one"],
    ["anew", "three"],
  ]);
});

test("when a store's quiet hours or time zone change, the transmitter decides again which transmissions wait", async (t) => {
  const { asked, handlers } = world();
  await handlers.store([
    { ...change("one", "bulk"), changed: ["quietHours"] },
    { ...change("two", "bulk"), changed: ["name"] },
    { ...change("three", "bulk"), changed: ["timeZone"] },
  ]);
  t.deepEqual(asked, [
    ["waits", "one"],
    ["waits", "three"],
  ]);
});

test("a wake-up applies waiting reports and is then done", async (t) => {
  const { asked, handlers } = world();
  t.deepEqual(await handlers.reports([{}]), []);
  t.deepEqual(asked, ["reports"]);
});

test("a label that cannot be refreshed results in ERROR with the reason", (t) => {
  const { refuse } = world();
  t.deepEqual(refuse("A", new Error("it broke")), {
    barcode: "A",
    status: "ERROR",
    errors: ["it broke"],
    notices: [{ code: "ROW_FAILED", values: { detail: "it broke" } }],
  });
});

test("orders are carried out by kind, and orders that must wait are returned with their waits", async (t) => {
  const carriedOut: [OrderKind, string][] = [];
  const { flash, "display-page": displayPage } = labelOrders({
    async carryOut(kind, { barcode }) {
      carriedOut.push([kind, barcode]);
      return { later: 500, now: 0 }[barcode];
    },
    continueSequences: async () => {},
  });
  const [done, later, now] = ["done", "later", "now"].map((barcode) => ({ barcode }) as FlashOrder);
  const all = [done, later, now].filter((order) => order !== undefined);
  t.deepEqual(
    await flash(all),
    new Map([
      [later, 500],
      [now, 0],
    ]),
  );
  t.deepEqual(await displayPage([partOf<DisplayPageOrder>({ barcode: "done" })]), new Map());
  t.deepEqual(carriedOut, [
    ["flash", "done"],
    ["flash", "later"],
    ["flash", "now"],
    ["display-page", "done"],
  ]);
});
