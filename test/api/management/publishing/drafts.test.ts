import test from "ava";
import type { ItemProperties } from "../../../../schemas/item-properties.ts";
import type { Difference, DraftFinding } from "../../../../schemas/version.ts";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf, pointersOf, refused, writeItems } from "../../calls.ts";
import { manage } from "../calls.ts";

const shelfwire = ownStack();
const call = (method: string, path: string, body?: unknown, headers = {}) =>
  manage(shelfwire, method, path, body, headers);

const text = { kind: "text", x: 4, y: 4, width: 280, height: 40, font: "bold", size: 32, color: "black" };
const canvas = {
  name: "Plain",
  width: 296,
  height: 128,
  background: "white",
  elements: [{ ...text, text: "${item.itemName}" }],
};
const design = { name: "Plain", canvasId: "drafted", compatible_esltype_ids: [1328] };
const pack = { name: "Spring", scenarios: [{ name: "All", design_ids: ["drafted"] }] };

interface Saved {
  errors: DraftFinding[];
  warnings: DraftFinding[];
  basedOn: number;
  author: string;
  content: object;
}
const save = async (path: string, content: object): Promise<Saved> =>
  bodyOf(await call("PUT", `${path}/draft`, { content, note: "for spring" }));

test.serial("item properties are listed, and a draft with a property that no item has gets a warning", async (t) => {
  await writeItems(shelfwire, [{ itemId: "drafted", itemName: "Milk", price: "1.00", properties: { brand: "Dukat" } }]);
  const { sampled, isWhole, properties } = await bodyOf<ItemProperties>(await call("GET", "/item-properties"));
  t.deepEqual([sampled, isWhole], [1, true]);
  t.like(
    properties.find(({ name }) => name === "brand"),
    { items: 1, values: [{ value: "Dukat", items: 1 }], hasMore: false, areNumbers: false },
  );
  const content = { ...canvas, elements: [{ ...text, text: "${item.brand} ${item.bran}" }] };
  const { errors, warnings } = await save("/canvas-designs/warned", content);
  t.deepEqual(errors, []);
  t.deepEqual(
    warnings.map(({ pointer, detail }) => [pointer, detail]),
    [["/elements/0/text", 'none of the 1 items that were read has the property "bran"']],
  );
});

test.serial("a new design starts as a draft, which no list of live designs shows", async (t) => {
  await refused(t, await call("GET", "/canvas-designs/drafted/draft"), 404);
  const saved = await save("/canvas-designs/drafted", canvas);
  t.like(saved, { errors: [], warnings: [], basedOn: 0, author: "manager", content: canvas, note: "for spring" });
  const { errors: _, warnings: __, ...shown } = saved;
  t.deepEqual(await bodyOf(await call("GET", "/canvas-designs/drafted/draft")), shown);
  await refused(t, await call("GET", "/canvas-designs/drafted"), 404);
});

test.serial("a draft may name other drafts", async (t) => {
  t.deepEqual((await save("/designs/drafted", design)).errors, []);
  t.deepEqual((await save("/communication-packs/drafted", pack)).errors, []);
  const all = await bodyOf<{ subject: string; id: string }[]>(await call("GET", "/drafts"));
  t.deepEqual(
    all.filter(({ id }) => id === "drafted").map(({ subject }) => subject),
    ["canvas-designs", "communication-packs", "designs"],
  );
});

const faulty: [string, string, object, string[]][] = [
  ["canvas without elements", "/canvas-designs/faulty", { name: "Only a name" }, ["/width", "/height"]],
  ["canvas with a wrong expression", "/canvas-designs/faulty", faultyCanvas(), ["/elements/0/text"]],
  ["design of an unknown canvas", "/designs/faulty", { ...design, canvasId: "none" }, ["/canvasId"]],
  [
    "pack of an unknown design",
    "/communication-packs/faulty",
    { name: "P", scenarios: [{ name: "All", design_ids: ["none"] }] },
    ["/scenarios/0/design_ids/0"],
  ],
  ["pack without scenarios", "/communication-packs/faulty", { name: "P" }, ["/scenarios"]],
];
for (const [what, path, content, pointers] of faulty) {
  test.serial(`a draft of a ${what} is saved with its errors`, async (t) => {
    const { errors } = await save(path, content);
    const found = errors.map(({ pointer }) => pointer);
    t.deepEqual(
      pointers.filter((pointer) => !found.includes(pointer)),
      [],
    );
    t.deepEqual((await bodyOf<Saved>(await call("GET", `${path}/draft`))).content, content);
  });
}

function faultyCanvas() {
  return { ...canvas, elements: [{ ...text, text: "${item.}" }] };
}

test.serial("a draft beyond its size limit is refused", async (t) => {
  const many = Array.from({ length: 40 }, () => "x".repeat(60_000));
  const answer = await call("PUT", "/designs/large/draft", { content: { many } });
  t.deepEqual(pointersOf(await refused(t, answer, 400)), ["/content"]);
});

test.serial("a draft that has changed since it was read is not overwritten", async (t) => {
  const read = await call("GET", "/designs/drafted/draft");
  const seen = { "if-match": read.headers.get("etag") ?? "" };
  const renamed = { content: { ...design, name: "Renamed" } };
  t.is((await call("PUT", "/designs/drafted/draft", renamed, seen)).status, 200);
  await refused(t, await call("PUT", "/designs/drafted/draft", { content: design }, seen), 412);
  await refused(t, await call("DELETE", "/designs/drafted/draft", undefined, seen), 412);
  await refused(t, await call("PUT", "/designs/drafted/draft", { content: design }, { "if-none-match": "*" }), 412);
});

test.serial("a draft is compared with its live version, and ends when it is discarded", async (t) => {
  t.is((await call("PUT", "/canvas-designs/drafted", canvas)).status, 200);
  t.is((await save("/canvas-designs/drafted", { ...canvas, name: "Other" })).basedOn, 0);
  const { differences, from, to } = await bodyOf<{ differences: Difference[]; from: number; to: null }>(
    await call("GET", "/canvas-designs/drafted/draft/differences"),
  );
  t.deepEqual({ from, to }, { from: 1, to: null });
  t.deepEqual(differences, [{ pointer: "/name", kind: "CHANGED", names: [], before: "Plain", after: "Other" }]);
  t.is((await call("DELETE", "/canvas-designs/drafted/draft")).status, 204);
  await refused(t, await call("GET", "/canvas-designs/drafted/draft/differences"), 404);
  t.is((await save("/canvas-designs/drafted", canvas)).basedOn, 1);
});
