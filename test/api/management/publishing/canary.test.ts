import test from "ava";
import { publications as kind } from "../../../../records/kinds/publishing.ts";
import { stores } from "../../../../records/kinds/tenants.ts";
import { publicationKey } from "../../../../schemas/keys.ts";
import type { PublicationAnswer } from "../../../../schemas/publication.ts";
import { eventually } from "../../../harness/eventually.ts";
import { labelFor, untilOk } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf, pointersOf, refused } from "../../calls.ts";
import { manage } from "../calls.ts";

const shelfwire = ownStack();
const call = (method: string, path: string, body?: unknown, headers = {}) =>
  manage(shelfwire, method, path, body, headers);

const text = { kind: "text", x: 4, y: 4, width: 280, height: 40, font: "bold", size: 32, color: "black" };
const canvas = (value: string) => ({
  name: "New",
  width: 296,
  height: 128,
  background: "white",
  elements: [{ ...text, text: value }],
});
const design = { name: "New", canvasId: "new", compatible_esltype_ids: [1328] };
const pack = { name: "New", scenarios: [{ id: "all", name: "All", design_ids: ["new"], children: [] }] };
const draft = async (path: string, content: object) => bodyOf(await call("PUT", `${path}/draft`, { content }));
const named = (subject: string, id = "new") => ({ subject, id });
const all = [named("communication-packs"), named("designs"), named("canvas-designs")];
const publish = (order: object) => call("POST", "/publications", order);
const read = async (id: string) => bodyOf<PublicationAnswer>(await call("GET", `/publications/${id}`));

const started = async (order: object) => bodyOf<PublicationAnswer>(await publish(order), 201);

/** Calls a store's API. */
const callStore = async (storeId: string, method: string, path: string, body?: unknown) =>
  fetch(`${shelfwire.origin}/t/demo/s/${storeId}/api/public/core/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await shelfwire.token({ subject: "manager" })}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const barcodes: Record<string, string> = { main: labelFor("of main"), other: labelFor("of other") };
async function designIn(storeId: string): Promise<string | null> {
  const answer = await callStore(storeId, "GET", `/links/${barcodes[storeId]}-0`);
  return answer.status === 200 ? ((await answer.json()) as { designId: string | null }).designId : null;
}
const shows = (storeId: string, is: (design: string) => boolean, what: string) =>
  eventually(`store ${storeId} shows ${what}`, async () => is((await designIn(storeId)) ?? ""));
const former = (id: string) => id.startsWith("t/demo/designs/regular");
const copied = (id: string) => id.startsWith("t/demo/designs/new~");

test.serial.before(async () => {
  const main = await bodyOf<object>(await call("GET", "/stores/main"));
  const { storeId: _, ...store } = main as { storeId: string };
  await bodyOf(await call("PUT", "/stores/other", store));
  for (const storeId of ["main", "other"]) {
    await callStore(storeId, "PATCH", "/items", [{ itemId: "tried", itemName: "Milk", price: "1.00" }]);
    await callStore(storeId, "PATCH", "/labels", [{ barcode: barcodes[storeId], links: [{ itemId: "tried" }] }]);
  }
  for (const storeId of ["main", "other"]) {
    await shows(storeId, former, "the design of the active pack");
    // Faults are counted among the labels that have a picture.
    await untilOk({ call: (method, path) => callStore(storeId, method, path) }, barcodes[storeId] ?? "");
  }
  await draft("/canvas-designs/new", canvas("${item.itemName}"));
  await draft("/designs/new", design);
  await draft("/communication-packs/new", pack);
});

test.serial("a canary with an unknown store, with stores and a share, or with a later start is refused", async (t) => {
  const order = { drafts: all, activate: "new" };
  t.deepEqual(pointersOf(await refused(t, await publish({ ...order, stores: ["none"] }), 400)), ["/stores/0"]);
  t.deepEqual(pointersOf(await refused(t, await publish({ ...order, stores: ["main"], share: 0.5 }), 400)), ["/share"]);
  const later = { share: 0.5, at: new Date(Date.now() + 3_600_000).toISOString() };
  t.deepEqual(pointersOf(await refused(t, await publish({ ...order, ...later }), 400)), ["/at"]);
});

test.serial("only a canary's stores show it, and nothing of it is live", async (t) => {
  const { publicationId, ...canary } = await started({ drafts: all, activate: "new", stores: ["other"] });
  t.like(canary, { state: "CANARY", canary: { stores: ["other"], labels: 1, faulty: 0 } });
  await shows("other", copied, "the copy");
  t.true(former((await designIn("main")) ?? ""));
  for (const path of ["/canvas-designs/new", "/designs/new", "/communication-packs/new"])
    await refused(t, await call("GET", path), 404);
  for (const path of ["/canvas-designs", "/designs", "/communication-packs"])
    t.false((await (await call("GET", path)).text()).includes("~"), path);
  const explained = await callStore("other", "GET", `/labels/${barcodes.other}/explain`);
  t.true((await explained.text()).includes(`new~${publicationId}`));
  t.regex((await refused(t, await publish({ drafts: all, stores: ["other"] }), 409)).detail, /another publication/);
  const ended = await bodyOf<PublicationAnswer>(await call("POST", `/publications/${publicationId}/roll-back`));
  t.is(ended.state, "ROLLED_BACK");
  await shows("other", former, "the design of the active pack");
  t.is((await bodyOf<object[]>(await call("GET", "/drafts"))).length, 3);
});

test.serial("changing a store keeps its canary", async (t) => {
  const { publicationId } = await started({ drafts: all, activate: "new", stores: ["other"] });
  const { storeId: _, ...store } = await bodyOf<{ storeId: string }>(await call("GET", "/stores/other"));
  t.is((await call("PUT", "/stores/other", { ...store, name: "Renamed" })).status, 200);
  const stored = (await shelfwire.system.records.read(stores, ["t/demo/s/other"])).get("t/demo/s/other");
  t.is(stored?.communicationPack, `t/demo/communicationpacks/new~${publicationId}`);
  await call("POST", `/publications/${publicationId}/roll-back`);
});

test.serial("a canary stops without a call once faults have increased in its stores", async (t) => {
  await draft("/communication-packs/empty", { name: "Empty", scenarios: [] });
  const drafts = [named("communication-packs", "empty")];
  const { publicationId } = await started({ drafts, activate: "empty", stores: ["other"], force: true });
  await shows("other", (id) => id === "", "no design");
  await eventually("the canary is stopped", async () => {
    // The next check runs now.
    await shelfwire.system.commit.change(
      kind,
      [publicationKey("t/demo", publicationId)],
      (_, current) =>
        current?.state === "CANARY" && current.canary?.isBegun ? { ...current, due: new Date(0) } : undefined,
      "interactive",
    );
    return (await read(publicationId)).state === "STOPPED";
  });
  t.regex(
    (await read(publicationId)).reason ?? "",
    /^1 of 1 labels in its stores show a fault \(100%\), 0 of 1 before/,
  );
  const { canary } = await read(publicationId);
  t.like(canary, { labels: 1, faulty: 0, stoppedBy: { labels: 1, faulty: 1, limit: 0.01 } });
  await shows("other", former, "the design of the active pack");
  await refused(t, await call("POST", `/publications/${publicationId}/continue`), 409);
});

test.serial("a canary can be continued in all stores, and undone like any publication", async (t) => {
  const { publicationId } = await started({ drafts: all, activate: "new", share: 1 });
  for (const storeId of ["main", "other"]) await shows(storeId, copied, "the copy");
  const done = await bodyOf<PublicationAnswer>(await call("POST", `/publications/${publicationId}/continue`));
  t.like(done, { state: "DONE", activates: "new" });
  for (const storeId of ["main", "other"])
    await shows(storeId, (id) => id === "t/demo/designs/new", "the design itself");
  t.is((await call("POST", `/publications/${publicationId}/roll-back`)).status, 201);
  for (const storeId of ["main", "other"]) await shows(storeId, former, "the design of the former pack");
});

test.serial("a design that only a canary uses cannot be deleted", async (t) => {
  await bodyOf(await call("PUT", "/designs/spare", { ...design, canvasId: "regular-296x128" }));
  const [scenario] = pack.scenarios;
  await draft("/communication-packs/spare", { ...pack, scenarios: [{ ...scenario, design_ids: ["spare"] }] });
  const drafts = [named("communication-packs", "spare")];
  const { publicationId } = await started({ drafts, activate: "spare", stores: ["other"] });
  const { detail } = await refused(t, await call("DELETE", "/designs/spare"), 409);
  t.is(detail, 'A publication to some stores uses the design "spare".');
  await call("POST", `/publications/${publicationId}/roll-back`);
  t.is((await call("DELETE", "/designs/spare")).status, 204);
});

test.serial("a canary's copies are removed once it has ended", async (t) => {
  const ids = (await bodyOf<PublicationAnswer[]>(await call("GET", "/publications"))).flatMap(
    ({ publicationId, canary }) => (canary ? [publicationKey("t/demo", publicationId)] : []),
  );
  const longAgo = new Date(Date.now() - 24 * 3_600_000);
  await shelfwire.system.commit.change(
    kind,
    ids,
    (_, current) => current && { ...current, endedAt: longAgo, due: longAgo },
    "interactive",
  );
  const { db } = shelfwire.system;
  await eventually("no copy is left", async () => {
    const counts = ["design.v1", "canvasdesign.v1", "communicationpack.v1"].map((name) =>
      db.collection<{ _id: string }>(name).countDocuments({ _id: /~/ }),
    );
    return (await Promise.all(counts)).every((count) => count === 0);
  });
  t.true(ids.length >= 4);
});
