import { mkdtempSync } from "node:fs";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { itemPages, items } from "../../../../records/kinds/items.ts";
import { labelStates } from "../../../../records/kinds/labels.ts";
import { stores, tenants } from "../../../../records/kinds/tenants.ts";
import { itemKey, labelKey, storeKey, tenantKey } from "../../../../schemas/keys.ts";
import { demoStore } from "../../../../scripts/demo/catalogue.ts";
import { eventually } from "../../../harness/eventually.ts";
import { itemOutcomes, labelFor, labelOutcomes, untilOk } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import { runAdminHere } from "../../../harness/processes/run-command.ts";
import { callersOf, type Served } from "../../../harness/served.ts";
import type { Shelfwire } from "../../../harness/shelfwire.ts";

const from = ownStack();
const to = ownStack();

const STORE = storeKey("demo", "corner");
const [bread, milk] = [labelFor("bread"), labelFor("milk")];
const folder = mkdtempSync(join(tmpdir(), "shelfwire-archive-"));
const file = join(folder, "corner.ndjson");
test.after.always(() => rm(folder, { recursive: true }));

const glassOf = ({ labelServer }: Shelfwire, barcode: string) => labelServer.labels.get(barcode)?.pages.get(0)?.png;
const price = async (corner: Served, itemId: string, value: string) => {
  const requestId = await corner.client.patchItems([{ itemId, itemName: itemId, price: value }]);
  await itemOutcomes(corner, requestId);
  return requestId;
};
const json = (out: string): Record<string, unknown> => JSON.parse(out);

test.serial("a store with a waiting request is not exported", async (t) => {
  await from.system.commit.change(stores, [STORE], () => demoStore, "bulk");
  const corner = await callersOf(from.origin, "corner");
  for (const itemId of ["bread", "milk"]) await price(corner, itemId, "1.00");
  const rows = [bread, milk].map((barcode, index) => ({ barcode, links: [{ itemId: ["bread", "milk"][index] }] }));
  await labelOutcomes(corner, await corner.client.patchLabels(rows));
  for (const barcode of [bread, milk]) await untilOk(corner, barcode);
  const request = { store: STORE, operation: "none", rows: [{}], ordered: true };
  const [chunk] = await eventually("a request is accepted", () => from.system.accept(request));
  const { code, err } = await runAdminHere(from.system, ["export", "demo", "corner", file]);
  t.deepEqual([code, err], [1, "Requests of the store are waiting to be applied: export it once they have been.\n"]);
  await t.throwsAsync(stat(file), { code: "ENOENT" });
  await from.system.journal.settle(new Map([[chunk?._id ?? "", []]]));
});

test.serial("a dry run of an export reports the size and writes nothing", async (t) => {
  const { code, out } = await runAdminHere(from.system, ["export", "demo", "corner", file, "--dry-run", "--json"]);
  t.is(code, 0);
  t.like(json(out), { command: "export", isDryRun: true, tenant: "demo", store: "corner" });
  await t.throwsAsync(stat(file), { code: "ENOENT" });
});

test.serial("an export reports if the store's tenant is being removed", async (t) => {
  const { commit } = from.system;
  const due = new Date("2030-01-01");
  const edit = (removal?: { since: Date; due: Date }) =>
    commit.change(
      tenants,
      [tenantKey("demo")],
      (_, current) => {
        const { removal: _removal, ...tenant } = current ?? { name: "Demo" };
        return { ...tenant, ...(removal && { removal }) };
      },
      "bulk",
    );
  await edit({ since: due, due });
  const { code, out } = await runAdminHere(from.system, ["export", "demo", "corner", file, "--dry-run"]);
  await edit();
  t.is(code, 0);
  t.regex(out, /\nTenant "demo" is being removed: all its data is deleted from 2030-01-01T00:00:00.000Z on\./);
});

test.serial(
  "only the owner can read an archive, which contains no derived record and nothing of another store",
  async (t) => {
    const source = { page: 0, upload: "u", resize: 1 as const, width: 1, height: 1, stamp: 1 };
    const pages = { itemId: "unlinked", images: [], removed: [] };
    const key = itemKey(STORE, "unlinked");
    await from.system.commit.change(itemPages, [key], () => ({ ...pages, sources: [source] }), "bulk");
    const { code, out } = await runAdminHere(from.system, ["export", "demo", "corner", file]);
    t.is(code, 0);
    t.regex(out, /^\d+ records of store corner of demo are in /);
    t.is((await stat(file)).mode & 0o777, 0o600);
    const lines = (await readFile(file, "utf8")).trim().split("\n").map(json);
    t.like(lines[0], { archive: "shelfwire store", version: 1, tenant: "demo", store: "corner" });
    const kinds = new Set(lines.flatMap(({ kind }) => (typeof kind === "string" ? [kind] : [])));
    for (const kind of ["tenant", "labeltype", "design.v1", "storeitemvalues.v1", "storeesl.v1", "link.v2", "store"])
      t.true(kinds.has(kind), kind);
    for (const kind of ["studiolink.v1", "designerlink.v1", "renderedimage.v1", "eslimage.v1"])
      t.false(kinds.has(kind), kind);
    const exported = lines.find((line) => line.kind === "pageimage.v1");
    t.deepEqual(exported?.body, pages, "archives do not contain the uploads that page images are drawn from");
    t.false(lines.some(({ key }) => typeof key === "string" && key.startsWith("t/demo/s/main")));
  },
);

const wrongArchives: [string, (lines: string[]) => string[], RegExp][] = [
  ["is truncated", (lines) => lines.slice(0, -1), /is truncated: it contains \d+ of an unknown number records/],
  ["lacks a line", (lines) => lines.toSpliced(3, 1), /is truncated: it contains \d+ of \d+ records/],
  ["is empty", () => [], /is not an archive: it is empty/],
  ["is a different file", () => ["a,b"], /line 1 of the archive: .*JSON/],
  ["has another version", ([head = ""]) => [head.replace('"version":1', '"version":2')], /line 1 .*version/],
  [
    "names another store's record",
    (lines) => lines.map((line) => line.replace("s/corner/items/bread", "s/main/items/bread")),
    /"t\/demo\/s\/main\/items\/bread" is not a storeitemvalues\.v1 of store corner of demo/,
  ],
  [
    "names a user",
    (lines) => lines.toSpliced(1, 0, '{"kind":"apiuser","key":"u/root","body":{}}'),
    /line 2 of the archive: the kind "apiuser" does not exist/,
  ],
  [
    "has a record of another format",
    (lines) => lines.map((line) => line.replace('"itemId":"bread"', '"itemId":7')),
    /line \d+ of the archive: \/itemId /,
  ],
  [
    "names a label server that its tenant does not have",
    (lines) =>
      lines.map((line) => line.replace('"kind":"store","key":"t/demo/s/corner","body":{', '$&"labelServer":"cellar",')),
    /uses the label server "cellar", which tenant "demo" does not have: create it first/,
  ],
];
for (const [what, change, why] of wrongArchives) {
  test.serial(`an archive that ${what} is refused before anything is written`, async (t) => {
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    const wrong = join(folder, "wrong.ndjson");
    await writeFile(
      wrong,
      change(lines)
        .map((line) => `${line}\n`)
        .join(""),
    );
    const { code, err } = await runAdminHere(to.system, ["import", wrong]);
    t.is(code, 1);
    t.regex(err, why);
    t.is(await to.system.records.count(items, `${STORE}/`), 0);
  });
}

test.serial("a dry run of an import changes nothing and reports what the import would write", async (t) => {
  const { code, out } = await runAdminHere(to.system, ["import", file, "--dry-run", "--json"]);
  t.is(code, 0);
  const { written, kept, different } = json(out);
  t.true(Number(written) >= 8 && Number(kept) > 20, out);
  t.deepEqual(different, [], "both have the demo as their tenant");
  t.is(await to.system.records.count(items, `${STORE}/`), 0);
});

test.serial("an imported store shows its prices and accepts new prices", async (t) => {
  const corner = await callersOf(to.origin, "corner");
  t.is((await corner.call("GET", "/labels")).status, 404);
  const { code, out } = await runAdminHere(to.system, ["import", file]);
  t.is(code, 0);
  t.regex(out, /^\d+ records and 0 pictures of store corner of demo were imported\./);
  for (const barcode of [bread, milk]) await untilOk(corner, barcode);
  for (const barcode of [bread, milk]) t.deepEqual(glassOf(to, barcode), glassOf(from, barcode));

  const before = glassOf(to, bread);
  const last = await from.system.db.collection<{ _id: string; number: number }>("counter").findOne({ _id: STORE });
  t.true((await price(corner, "bread", "2.00")) > (last?.number ?? 0), "a later row has a larger stamp");
  await eventually("bread shows its new price", async () => !glassOf(to, bread)?.equals(before ?? Buffer.of()));
  const [there] = (await to.system.records.readFields(labelStates, [labelKey(STORE, milk)], ["history"])).values();
  t.regex(there?.history?.[0] ?? "", /"event":"picture"/, "its history was imported with it");
});

test.serial("an interrupted import continues, and an existing store is not overwritten", async (t) => {
  const again = await runAdminHere(to.system, ["import", file]);
  t.deepEqual(
    [again.code, again.err],
    [1, 'The store "corner" of tenant "demo" already exists: nothing was imported.\n'],
  );

  const { system } = to;
  const [store] = (await system.records.read(stores, [STORE])).values();
  const [milkItem] = (await system.records.read(items, [itemKey(STORE, "milk")])).values();
  if (store) await system.records.remove(stores, [{ key: STORE, rev: store.rev }]);
  if (milkItem) await system.records.remove(items, [{ key: milkItem._id, rev: milkItem.rev }]);
  const { code, out } = await runAdminHere(to.system, ["import", file, "--json"]);
  t.is(code, 0);
  t.is(json(out).written, 2, "the item and the store");
  t.true((await system.records.readRevs(stores, [STORE])).has(STORE));
});

test.serial("a missing file is refused", async (t) => {
  const { code, err } = await runAdminHere(to.system, ["import", join(folder, "none.ndjson")]);
  t.deepEqual([code, err], [1, `The file ${join(folder, "none.ndjson")} does not exist.\n`]);
});
