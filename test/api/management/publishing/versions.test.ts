import test from "ava";
import { MAX_VERSIONS } from "../../../../queues/publishing/versions.ts";
import { canvasDesigns } from "../../../../records/kinds/designs.ts";
import { versions as kind } from "../../../../records/kinds/publishing.ts";
import { readAll } from "../../../../records/records.ts";
import type { Difference, VersionSummary } from "../../../../schemas/version.ts";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf, refused } from "../../calls.ts";
import { manage } from "../calls.ts";

const shelfwire = ownStack();
const call = (method: string, path: string, body?: unknown, headers = {}) =>
  manage(shelfwire, method, path, body, headers);

const canvas = { name: "One", width: 296, height: 128, background: "white", elements: [] };
const put = async (name: string, note?: string, id = "kept") =>
  call("PUT", `/canvas-designs/${id}${note ? `?note=${encodeURIComponent(note)}` : ""}`, { ...canvas, name });
const list = async (path: string, query = ""): Promise<VersionSummary[]> =>
  bodyOf(await call("GET", `${path}/versions${query}`));
const numbersOf = (found: readonly VersionSummary[]) => found.map(({ number }) => number);

test.serial(
  "each change is a version with its author and note; saving without a change makes no version",
  async (t) => {
    await refused(t, await call("GET", "/canvas-designs/kept/versions"), 404);
    for (const [name, note] of [["One"], ["Two", "larger price"], ["Two", "again"]] as const)
      t.is((await put(name, note)).status, 200);
    const found = await list("/canvas-designs/kept");
    t.deepEqual(
      found.map(({ at: _, ...version }) => version),
      [
        { number: 2, author: "manager", note: "larger price", publication: null, isDeletion: false },
        { number: 1, author: "manager", note: null, publication: null, isDeletion: false },
      ],
    );
    t.deepEqual(
      (await bodyOf<{ content: object }>(await call("GET", "/canvas-designs/kept/versions/1"))).content,
      canvas,
    );
    await refused(t, await call("GET", "/canvas-designs/kept/versions/3"), 404);
  },
);

test.serial("versions are compared with the one before, another one, or nothing", async (t) => {
  const compare = async (query: string) =>
    bodyOf<{ from: number; to: number; differences: Difference[]; isCut: boolean }>(
      await call("GET", `/canvas-designs/kept/versions/2/differences${query}`),
    );
  const renamed: Difference = { pointer: "/name", kind: "CHANGED", names: [], before: "One", after: "Two" };
  t.deepEqual(await compare(""), { from: 1, to: 2, differences: [renamed], isCut: false });
  t.deepEqual((await compare("?from=2")).differences, []);
  t.is((await compare("?from=0")).differences.length, Object.keys(canvas).length);
});

test.serial("a version is restored as a draft, which replaces another draft only with that draft's tag", async (t) => {
  const restored = await call("POST", "/canvas-designs/kept/versions/1/restore");
  t.like(await bodyOf(restored), { content: canvas, basedOn: 2, note: "Version 1", author: "manager" });
  t.is((await bodyOf<{ name: string }>(await call("GET", "/canvas-designs/kept"))).name, "Two");
  await refused(t, await call("POST", "/canvas-designs/kept/versions/2/restore"), 409);
  const seen = { "if-match": restored.headers.get("etag") ?? "" };
  t.is((await call("POST", "/canvas-designs/kept/versions/2/restore", undefined, seen)).status, 200);
});

test.serial("a deletion is a version, and the next version after it has the next number", async (t) => {
  t.is((await call("DELETE", "/canvas-designs/kept?note=unused")).status, 204);
  t.like((await list("/canvas-designs/kept"))[0], { number: 3, note: "unused", isDeletion: true });
  await refused(t, await call("POST", "/canvas-designs/kept/versions/3/restore"), 409);
  t.is((await put("Four")).status, 200);
  t.deepEqual(numbersOf(await list("/canvas-designs/kept")), [4, 3, 2, 1]);
  t.deepEqual(numbersOf(await list("/canvas-designs/kept", "?start=1&limit=2")), [3, 2]);
});

test.serial("a pack that is removed keeps its versions", async (t) => {
  const pack = (name: string) => ({ name, scenarios: [{ id: "all", name: "All", design_ids: [], children: [] }] });
  t.is((await call("PUT", "/communication-packs/brief", pack("One"))).status, 200);
  t.is((await call("DELETE", "/communication-packs/brief")).status, 204);
  t.deepEqual(
    (await list("/communication-packs/brief")).map(({ number, isDeletion }) => [number, isDeletion]),
    [
      [2, true],
      [1, false],
    ],
  );
  t.is((await call("PUT", "/communication-packs/brief", pack("Two"))).status, 200);
  t.deepEqual(numbersOf(await list("/communication-packs/brief")), [3, 2, 1]);
});

test.serial("activating a pack does not make a version of it", async (t) => {
  t.is((await call("POST", "/communication-packs/brief/activate")).status, 200);
  t.deepEqual(numbersOf(await list("/communication-packs/brief")), [3, 2, 1]);
});

const key = "t/demo/canvasdesigns/earlier";

/** Writes a record as a release without versions does. */
const writeUnversioned = (name: string) =>
  shelfwire.system.commit.change(
    canvasDesigns,
    [key],
    () => ({ ...canvas, background: "white" as const, name }),
    "bulk",
  );

test.serial("a record that was stored before versions were kept becomes the first version", async (t) => {
  await writeUnversioned("Earlier");
  t.like((await list("/canvas-designs/earlier"))[0], { number: 1, author: null });
  t.is((await put("Later", undefined, "earlier")).status, 200);
  t.deepEqual(numbersOf(await list("/canvas-designs/earlier")), [2, 1]);
  t.is(
    (await bodyOf<{ content: { name: string } }>(await call("GET", "/canvas-designs/earlier/versions/1"))).content.name,
    "Earlier",
  );
  await writeUnversioned("Earlier again");
  t.deepEqual(numbersOf(await list("/canvas-designs/earlier")), [3, 2, 1]);
  t.is((await put("Last", undefined, "earlier")).status, 200);
  t.deepEqual(numbersOf(await list("/canvas-designs/earlier")), [4, 3, 2, 1]);
});

test.serial("a version that a killed process did not store is stored by the next change", async (t) => {
  const stored = await readAll(shelfwire.system.records, kind, "t/demo/versions/canvasdesigns/earlier/");
  const last = stored.filter(({ number }) => number === 4);
  await shelfwire.system.records.remove(
    kind,
    last.map(({ _id, rev }) => ({ key: _id, rev })),
  );
  t.deepEqual(numbersOf(await list("/canvas-designs/earlier")), [4, 3, 2, 1]);
  t.deepEqual(numbersOf(await list("/canvas-designs/earlier", "?start=1&limit=1")), [3]);
  t.is((await put("Beyond", undefined, "earlier")).status, 200);
  t.is(
    (await bodyOf<{ content: { name: string } }>(await call("GET", "/canvas-designs/earlier/versions/4"))).content.name,
    "Last",
  );
});

/** Repeats a change while it is refused because the effects of too many others are being counted (429). */
async function putUntilTaken(...order: Parameters<typeof put>): Promise<Response> {
  const answer = await put(...order);
  return answer.status === 429 ? putUntilTaken(...order) : answer;
}

test.serial("each of several concurrent changes is one version", async (t) => {
  const orders = Array.from({ length: 8 }, (_, index) => putUntilTaken(`Name ${index}`, undefined, "shared"));
  for (const answer of await Promise.all(orders)) t.is(answer.status, 200, await answer.text());
  const found = await list("/canvas-designs/shared");
  t.deepEqual(
    numbersOf(found),
    Array.from({ length: found.length }, (_, index) => found.length - index),
  );
  t.is(found.length, 8);
});

test.serial("a design with many changes keeps its newest versions", async (t) => {
  await shelfwire.system.commit.change(
    canvasDesigns,
    [key],
    (_, current) => current && { ...current, version: { number: MAX_VERSIONS + 2, at: new Date() } },
    "bulk",
  );
  t.is((await put("Beyond the bound", undefined, "earlier")).status, 200);
  t.deepEqual(numbersOf(await list("/canvas-designs/earlier")), [MAX_VERSIONS + 3, MAX_VERSIONS + 2, 5, 4]);
});
