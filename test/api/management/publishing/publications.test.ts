import test, { type ExecutionContext } from "ava";
import { publications as kind } from "../../../../records/kinds/publishing.ts";
import { readAll } from "../../../../records/records.ts";
import { publicationKey } from "../../../../schemas/keys.ts";
import type { PublicationAnswer, PublicationCounts } from "../../../../schemas/publication.ts";
import type { VersionSummary } from "../../../../schemas/version.ts";
import { eventually } from "../../../harness/eventually.ts";
import { labelFor, untilOk } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf, pointersOf, refused, writeItems, writeLabels } from "../../calls.ts";
import { manage } from "../calls.ts";

const shelfwire = ownStack();
const call = (method: string, path: string, body?: unknown, headers = {}) =>
  manage(shelfwire, method, path, body, headers);

const text = { kind: "text", x: 4, y: 4, width: 280, height: 40, font: "bold", size: 32, color: "black" };
const canvas = (value: string, name = value) => ({
  name,
  width: 296,
  height: 128,
  background: "white",
  elements: [{ ...text, text: value }],
});
const design = { name: "New", canvasId: "new", compatible_esltype_ids: [1328] };
const pack = (designId: string) => ({
  name: "New",
  scenarios: [{ id: "all", name: "All", design_ids: [designId], children: [] }],
});
const barcode = labelFor("published");

const draft = async (path: string, content: object) => bodyOf(await call("PUT", `${path}/draft`, { content }));
const named = (subject: string, id = "new") => ({ subject, id });
const all = [named("communication-packs"), named("designs"), named("canvas-designs")];
const publish = (order: object) => call("POST", "/publications", order);
/** Returns the publication that a call made. */
const made = (answer: Response) => bodyOf<PublicationAnswer>(answer, 201);
const published = async (order: object): Promise<PublicationAnswer> => made(await publish(order));
const designOfLabel = async () =>
  (await bodyOf<{ designId: string | null }>(await shelfwire.call("GET", `/links/${barcode}-0`))).designId;
const showsDesign = (id: string) =>
  eventually(`the label shows ${id}`, async () => (await designOfLabel()) === `t/demo/designs/${id}`);
const newestOf = async (path: string) => (await bodyOf<VersionSummary[]>(await call("GET", `${path}/versions`)))[0];

let former = "";
test.serial.before(async () => {
  await writeItems(shelfwire, [{ itemId: "published", itemName: "Milk", price: "1.00" }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "published" }] }]);
  await untilOk(shelfwire, barcode);
  former = (await designOfLabel())?.split("/").at(-1) ?? "";
});

test.serial("an order without drafts, with unknown drafts or with an unknown pack is refused", async (t) => {
  t.deepEqual(pointersOf(await refused(t, await publish({}), 400)), [""]);
  t.deepEqual(pointersOf(await refused(t, await publish({ drafts: all }), 400)), [
    "/drafts/0",
    "/drafts/1",
    "/drafts/2",
  ]);
  t.deepEqual(pointersOf(await refused(t, await publish({ activate: "none" }), 400)), ["/activate"]);
  const past = { activate: "shelf-prices", at: "2020-01-01T00:00:00.000Z" };
  t.deepEqual(pointersOf(await refused(t, await publish(past), 400)), ["/at"]);
});

test.serial("drafts are checked together, and all their faults are named", async (t) => {
  await draft("/canvas-designs/new", canvas("${item.}"));
  await draft("/designs/new", { ...design, compatible_esltype_ids: [1328, 9999] });
  await draft("/communication-packs/new", pack("none"));
  const problem = await refused(t, await publish({ drafts: all }), 400);
  t.deepEqual(pointersOf(problem), [
    "/drafts/0/content/scenarios/0/design_ids/0",
    "/drafts/1/content/compatible_esltype_ids/1",
    "/drafts/2/content/elements/0/text",
  ]);
  await refused(t, await call("GET", "/designs/new"), 404);
});

test.serial("a dry run counts what would change, and changes nothing", async (t) => {
  await draft("/canvas-designs/new", canvas("${item.itemName}"));
  await draft("/designs/new", design);
  await draft("/communication-packs/new", pack("new"));
  const { counts, refusals } = await bodyOf<{ counts: PublicationCounts; refusals: string[] }>(
    await publish({ drafts: all, activate: "new", dryRun: true }),
  );
  t.deepEqual(refusals, []);
  t.like(counts, { redesigned: 1, labels: 1, blank: 0, drawn: 1, faulty: 0, cut: 0, isBounded: false });
  await refused(t, await call("GET", "/designs/new"), 404);
  t.deepEqual(await bodyOf(await call("GET", "/publications")), []);
});

test.serial(
  "one call publishes several drafts immediately, makes a version of each draft, and ends the drafts",
  async (t) => {
    const done = await published({ drafts: all, activate: "new", note: "spring" });
    t.like(done, { state: "DONE", note: "spring", author: "manager", activates: "new" });
    t.deepEqual(
      done.changes.map(({ subject, from, to }) => [subject, from, to]),
      [
        ["communication-packs", 0, 1],
        ["designs", 0, 1],
        ["canvas-designs", 0, 1],
      ],
    );
    t.deepEqual(await bodyOf(await call("GET", "/drafts")), []);
    t.like(await newestOf("/designs/new"), { number: 1, note: "spring", publication: done.publicationId });
    await showsDesign("new");
    await eventually("the progress is complete", async () => {
      const path = `/publications/${done.publicationId}`;
      const { progress } = await bodyOf<{ progress: object }>(await call("GET", path));
      return JSON.stringify(progress) === '{"labels":1,"drawn":1,"acknowledged":1}';
    });
    t.is((await readAll(shelfwire.system.records, kind, "t/demo/publications/")).filter(({ due }) => due).length, 0);
  },
);

test.serial(
  "a publication that would blank more labels than its limit is refused unless it is forced, and the error counts them",
  async (t) => {
    await draft("/communication-packs/empty", { name: "Empty", scenarios: [] });
    const order = { drafts: [named("communication-packs", "empty")], activate: "empty" };
    const problem = await refused(t, await publish(order), 409);
    t.regex(problem.detail, /^1 label would no longer have a design; none may\. For example/);
    await refused(t, await call("GET", "/communication-packs/empty"), 404);
    t.is((await call("PUT", "/publish-limits", { blank: 1 })).status, 200);
    const { counts, refusals } = await bodyOf<{ counts: PublicationCounts; refusals: string[] }>(
      await publish({ ...order, dryRun: true }),
    );
    t.deepEqual([counts.blank, refusals], [1, []]);
    t.is((await call("PUT", "/publish-limits", { blank: 0, faulty: 0 })).status, 200);
  },
);

test.serial("a picture whose text would be cut off is counted as cut and as worse", async (t) => {
  await draft("/canvas-designs/new", canvas("${item.itemName} in a text that does not fit ".repeat(20), "long"));
  const order = { drafts: [named("canvas-designs")] };
  const { counts } = await bodyOf<{ counts: PublicationCounts }>(await publish({ ...order, dryRun: true }));
  t.like(counts, { labels: 1, redesigned: 0, drawn: 1, faulty: 0, worse: 1, cut: 1 });
  t.is((await call("PUT", "/publish-limits", { worse: 0 })).status, 200);
  t.regex((await refused(t, await publish(order), 409)).detail, /^1 label of those that were drawn would get new/);
  t.is((await call("PUT", "/publish-limits", { blank: 0, faulty: 0 })).status, 200);
});

test.serial("a draft whose live version was changed meanwhile is refused, unless forced", async (t) => {
  t.is((await call("PUT", "/canvas-designs/new", canvas("changed"))).status, 200);
  await draft("/canvas-designs/new", canvas("drafted"));
  const order = { drafts: [named("canvas-designs")] };
  t.regex((await refused(t, await publish(order), 409)).detail, /its version is 2, no longer 1/);
  t.like(await published({ ...order, force: true }), { state: "DONE", counts: null });
  t.is((await bodyOf<{ name: string }>(await call("GET", "/canvas-designs/new"))).name, "drafted");
});

const rollBack = (id: string, query = "") => call("POST", `/publications/${id}/roll-back${query}`);

test.serial("one call restores the previous live state, and deletes designs that did not exist before", async (t) => {
  const [forced, first] = await bodyOf<PublicationAnswer[]>(await call("GET", "/publications"));
  const firstId = first?.publicationId ?? "";
  t.regex((await refused(t, await rollBack(firstId), 409)).detail, /canvas design "new" has changed/);
  t.is((await rollBack(forced?.publicationId ?? "")).status, 201);
  t.is((await bodyOf<{ name: string }>(await call("GET", "/canvas-designs/new"))).name, "changed");
  await refused(t, await rollBack(forced?.publicationId ?? ""), 409);
  const back = await made(await rollBack(firstId, "?force=true&note=too%20plain"));
  t.like(back, { state: "DONE", rollsBack: firstId, note: "too plain", activates: "shelf-prices" });
  t.like(await bodyOf(await call("GET", `/publications/${firstId}`)), {
    state: "ROLLED_BACK",
    rolledBackBy: back.publicationId,
  });
  for (const path of ["/canvas-designs/new", "/designs/new", "/communication-packs/new"])
    await refused(t, await call("GET", path), 404);
  t.like(await newestOf("/communication-packs/new"), { isDeletion: true, note: "too plain" });
  await showsDesign(former);
});

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** Makes due a publication scheduled for `at`, a time that is far off because a nearer one could pass during earlier calls. */
async function makeDue(t: ExecutionContext, publicationId: string, at: string): Promise<void> {
  let due: Date | undefined;
  await shelfwire.system.commit.change(
    kind,
    [publicationKey("t/demo", publicationId)],
    (_, current) => {
      due = current?.due;
      return current && { ...current, due: new Date(0) };
    },
    "interactive",
  );
  t.is(due?.toISOString(), at);
}

test.serial(
  "a scheduled publication goes live when it is due, with the drafts as they were when it was scheduled",
  async (t) => {
    await draft("/canvas-designs/later", canvas("scheduled"));
    const at = inAnHour();
    const { publicationId, state } = await published({ drafts: [named("canvas-designs", "later")], at });
    t.is(state, "SCHEDULED");
    await refused(t, await call("GET", "/canvas-designs/later"), 404);
    await draft("/canvas-designs/later", canvas("drafted since"));
    await makeDue(t, publicationId, at);
    await eventually("the publication is live", async () => {
      const found = await bodyOf<PublicationAnswer>(await call("GET", `/publications/${publicationId}`));
      return found.state === "DONE";
    });
    t.is((await bodyOf<{ name: string }>(await call("GET", "/canvas-designs/later"))).name, "scheduled");
    t.like(await bodyOf(await call("GET", "/canvas-designs/later/draft")), { content: canvas("drafted since") });
  },
);

test.serial("a scheduled publication is refused when due if its live designs have changed meanwhile", async (t) => {
  await draft("/canvas-designs/other", canvas("scheduled"));
  const at = inAnHour();
  const { publicationId } = await published({ drafts: [named("canvas-designs", "other")], at });
  t.is((await call("PUT", "/canvas-designs/other", canvas("direct"))).status, 200);
  await makeDue(t, publicationId, at);
  const read = async () => bodyOf<PublicationAnswer>(await call("GET", `/publications/${publicationId}`));
  await eventually("the publication is refused", async () => (await read()).state === "REFUSED");
  t.regex((await read()).reason ?? "", /The canvas design "other" has changed: its version is 1, no longer 0/);
  t.is((await bodyOf<{ name: string }>(await call("GET", "/canvas-designs/other"))).name, "direct");
});

test.serial("a scheduled publication can be called off, but not once it has ended", async (t) => {
  await draft("/canvas-designs/never", canvas("scheduled"));
  const { publicationId } = await published({ drafts: [named("canvas-designs", "never")], at: inAnHour() });
  t.is((await call("DELETE", `/publications/${publicationId}`)).status, 204);
  t.like(await bodyOf(await call("GET", `/publications/${publicationId}`)), { state: "CALLED_OFF" });
  const [, , done] = await bodyOf<PublicationAnswer[]>(await call("GET", "/publications"));
  await refused(t, await call("DELETE", `/publications/${done?.publicationId}`), 409);
  await refused(t, await call("DELETE", "/publications/none"), 404);
});
