import test from "ava";
import { keepStream, streamKey } from "../../../../queues/publish/streams.ts";
import { eventually } from "../../../harness/eventually.ts";
import { labelFor } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf, pointersOf, readLabel, refused, writeItems, writeLabels } from "../../calls.ts";
import { manage } from "../calls.ts";
import { textCanvas } from "../text-canvas.ts";

const shelfwire = ownStack();

const canvas = textCanvas("Plain", "${item.itemName}");
const design = { name: "Plain", canvasId: "plain", compatible_esltype_ids: [1328] };
const call = (method: string, path: string, body?: unknown, headers = {}) =>
  manage(shelfwire, method, path, body, headers);

// Published changes are read as a tail would read them.
test.before(async () => {
  for (const topic of ["design.v1", "canvasdesign.v1"] as const)
    await keepStream(shelfwire.system.redis, streamKey("t/demo", topic));
});

/** Returns the operations that were published for a key. */
async function operationsOf(topic: "design.v1" | "canvasdesign.v1", key: string): Promise<string[]> {
  const entries = await shelfwire.system.redis.xrange(streamKey("t/demo", topic), "-", "+");
  const changes = entries.flatMap(([, fields]) => JSON.parse(fields[fields.indexOf("changes") + 1] ?? "[]"));
  return changes.filter((one) => one.key === key).map((one) => one.operation);
}

test.serial("a canvas and its design are created, read, listed and published", async (t) => {
  const made = await call("PUT", "/canvas-designs/plain", canvas);
  t.deepEqual(await bodyOf(made), { canvasId: "plain", key: "t/demo/canvasdesigns/plain", ...canvas });
  t.is((await call("GET", "/canvas-designs/plain")).headers.get("etag"), made.headers.get("etag"));
  const shown = { designId: "plain", key: "t/demo/designs/plain", ...design, canvasId: "t/demo/canvasdesigns/plain" };
  t.deepEqual(await bodyOf(await call("PUT", "/designs/plain", design)), shown);
  t.deepEqual(await bodyOf(await call("GET", "/designs/plain")), shown);
  for (const path of ["/designs", "/canvas-designs"])
    t.true((await bodyOf<{ key: string }[]>(await call("GET", path))).some(({ key }) => key.endsWith("/plain")));
  await eventually("both are published", async () => {
    const published = await Promise.all([
      operationsOf("design.v1", "t/demo/designs/plain"),
      operationsOf("canvasdesign.v1", "t/demo/canvasdesigns/plain"),
    ]);
    return published.every(([first]) => first === "CREATED");
  });
});

const canvasFaults: [string, object, string[]][] = [
  [
    "an expression that does not compile",
    { elements: [canvas.elements[0], { ...canvas.elements[0], text: "${item.}" }] },
    ["/elements/1/text"],
  ],
  [
    "a condition that does not compile",
    { elements: [{ ...canvas.elements[0], visible: "item.price ==" }] },
    ["/elements/0/visible"],
  ],
  ["no name", { name: "" }, ["/name"]],
  ["no size", { width: 0 }, ["/width"]],
  ["an unknown colour", { background: "pink" }, ["/background"]],
  ["an unknown field", { elements: [{ ...canvas.elements[0], minimumsize: 8 }] }, ["/elements/0/minimumsize"]],
  ["an unknown kind", { elements: [{ ...canvas.elements[0], kind: "elipse" }] }, ["/elements/0/kind"]],
];
for (const [what, differs, pointers] of canvasFaults) {
  test.serial(`a canvas with ${what} is refused`, async (t) => {
    const answer = await call("PUT", "/canvas-designs/refused", { ...canvas, ...differs });
    t.deepEqual(pointersOf(await refused(t, answer, 400)), pointers);
    await refused(t, await call("GET", "/canvas-designs/refused"), 404);
  });
}

test.serial("a turned canvas with a group is stored unchanged and fits labels of its turned size", async (t) => {
  const group = { kind: "group", x: 0, y: 0, width: 128, height: 296, repeat: { count: 2, y: 60 } };
  const upright = {
    ...canvas,
    width: 128,
    height: 296,
    rotate: 90,
    elements: [{ ...group, elements: canvas.elements }],
  };
  const made = await bodyOf(await call("PUT", "/canvas-designs/upright", upright));
  t.deepEqual(made, { canvasId: "upright", key: "t/demo/canvasdesigns/upright", ...upright });
  t.is((await call("PUT", "/designs/upright", { ...design, canvasId: "upright" })).status, 200);
});

const designFaults: [string, object, string[]][] = [
  ["an unknown canvas", { canvasId: "none" }, ["/canvasId"]],
  ["another tenant's canvas", { canvasId: "t/other/canvasdesigns/plain" }, ["/canvasId"]],
  ["an unknown label type", { compatible_esltype_ids: [1328, 9999] }, ["/compatible_esltype_ids/1"]],
  ["a label type of another size", { compatible_esltype_ids: [1314] }, ["/compatible_esltype_ids/0"]],
];
for (const [what, differs, pointers] of designFaults) {
  test.serial(`a design with ${what} is refused`, async (t) => {
    const answer = await call("PUT", "/designs/refused", { ...design, ...differs });
    t.deepEqual(pointersOf(await refused(t, answer, 400)), pointers);
    await refused(t, await call("GET", "/designs/refused"), 404);
  });
}

test.serial("a canvas that designs use keeps its size and cannot be deleted", async (t) => {
  await refused(t, await call("PUT", "/canvas-designs/plain", { ...canvas, width: 300 }), 409);
  await refused(t, await call("DELETE", "/canvas-designs/plain"), 409);
});

test.serial(
  "a label shows a design created here; its deletion is published, and it can be created again",
  async (t) => {
    const barcode = labelFor("designed");
    await writeItems(shelfwire, [{ itemId: "designed", itemName: "Milk", price: "1.00" }]);
    await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "designed" }] }]);
    await shelfwire.call("PATCH", `/links/${barcode}-0`, { forced_design_id: "plain" });
    const isState = (state: string) =>
      eventually(`the label is ${state}`, async () => (await readLabel(shelfwire, barcode)).plState === state);
    await eventually("the design is drawn", async () => {
      const link = await bodyOf<{ designId: string }>(await shelfwire.call("GET", `/links/${barcode}-0`));
      return link.designId === "t/demo/designs/plain";
    });
    await isState("OK");
    t.is((await call("DELETE", "/designs/plain")).status, 204);
    await isState("ERROR");
    await refused(t, await call("GET", "/designs/plain"), 404);
    await refused(t, await call("DELETE", "/designs/plain"), 404);
    await eventually("the deletion is published", async () =>
      (await operationsOf("design.v1", "t/demo/designs/plain")).includes("DELETED"),
    );
    t.is((await call("DELETE", "/canvas-designs/plain")).status, 204);
    await refused(t, await call("DELETE", "/canvas-designs/plain"), 404);
    t.is((await call("PUT", "/canvas-designs/plain", canvas, { "if-none-match": "*" })).status, 200);
    t.is((await call("PUT", "/designs/plain", design, { "if-none-match": "*" })).status, 200);
    await isState("OK");
  },
);

test.serial("a design in the active rules cannot be deleted", async (t) => {
  const [pack] = await bodyOf<{ active: boolean; scenarios: { design_ids: string[] }[] }[]>(
    await call("GET", "/communication-packs"),
  );
  const [named = ""] = pack?.scenarios.flatMap(({ design_ids }) => design_ids) ?? [];
  await refused(t, await call("DELETE", `/designs/${named.slice(named.lastIndexOf("/") + 1)}`), 409);
});

test.serial("models and label types are listed", async (t) => {
  const models = await bodyOf<{ name: string }[]>(await call("GET", "/models"));
  t.deepEqual(
    models.find(({ name }) => name === "Large"),
    { name: "Large", labelTypes: [1314], linkPositions: 1 } as object as { name: string },
  );
  const types = await bodyOf<{ type: number }[]>(await call("GET", "/label-types"));
  t.like(
    types.find(({ type }) => type === 1328),
    { width: 296, height: 128, colors: ["white", "black", "red"] },
  );
});
