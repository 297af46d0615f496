import test from "ava";
import { ownSystem } from "../../../harness/own.ts";
import { adminOn, matrix, store } from "./admin-on.ts";

const world = ownSystem();
const { fileOf, removeFiles, run } = adminOn(world);
test.before(() => run("apply", "scripts/demo/installation.json"));
test.after.always(() => removeFiles());

const cellar = { url: "https://labels.example" };
for (const [noun, id, order] of [
  ["tenant", "shown", { name: "Shown", barcodeScheme: { pattern: "^(?<type>[0-9]{4})[0-9]{9}$", checkDigit: "gs1" } }],
  ["label-type", "1328", matrix],
  ["model", "Double", { labelTypes: [1328], linkPositions: 2 }],
  ["label-server", "cellar", cellar],
  ["store", "harbour", { ...store, labelServer: "cellar" }],
  ["user", "till-of-shown", { stores: ["harbour"], scope: "items:read" }],
] as const)
  test.serial(`${noun} put accepts the output of ${noun} show`, async (t) => {
    const owner = noun === "tenant" ? [] : ["shown"];
    const put = (content: unknown) => run(noun, "put", ...owner, id, fileOf(content));
    const made = await put(order);
    t.is(made.code, 0, made.err);
    const shown = (await run(noun, "show", ...owner, id)).out;
    const again = await put(shown);
    t.deepEqual([again.code, again.err], [0, ""]);
    t.regex(again.out, /already matches the file/);
    const other = await run(noun, "put", ...owner, noun === "label-type" ? "1329" : "other", fileOf(shown));
    t.regex(other.err, /The file describes .* not "/);
  });

for (const [line, why] of [
  [["explain", "A", "--tenant", "nobody"], 'The tenant "nobody" does not exist.'],
  [["explain", "A", "--tenant", "empty"], 'There is no store of tenant "empty".'],
  [["explain", "A", "--tenant", "empty", "--store", "x"], 'There is no store "x" of tenant "empty".'],
  [["explain", "A", "--store", "nowhere"], 'There is no store "nowhere".'],
] as const)
  test.serial(`${line.join(" ")} is refused: ${why}`, async (t) => {
    await run("tenant", "put", "empty", fileOf({ name: "Empty" }));
    t.deepEqual((await run(...line)).err, `${why}\n`);
  });

test.serial("single entries are created, shown and removed by the same rules as over HTTP", async (t) => {
  const poster = fileOf({ labelTypes: [1314], linkPositions: 1 });
  const dry = await run("model", "put", "demo", "Wide", poster, "--dry-run");
  t.deepEqual([dry.code, dry.out], [0, "model Wide of demo would be created\n"]);
  t.is((await run("model", "show", "demo", "Wide")).err, 'The model "Wide" does not exist.\n');
  t.is((await run("model", "put", "demo", "Wide", poster)).out, "model Wide of demo is created\n");
  t.is((await run("model", "put", "demo", "Wide", poster)).out, "model Wide of demo already matches the file\n");
  t.is((await run("model", "remove", "demo", "Wide")).out, "model Wide of demo is removed\n");

  const unknown = await run("model", "put", "demo", "Wide", fileOf({ labelTypes: [7], linkPositions: 1 }));
  t.deepEqual(
    [unknown.code, unknown.err],
    [1, "The body has 1 fault.\n  /labelTypes/0 the label type 7 does not exist\n"],
  );
  const mistyped = await run("model", "put", "demo", "Wide", fileOf({ labelTypes: [1314], positions: 1 }));
  t.regex(mistyped.err, /is not a valid model:\n {2}\/linkPositions is missing/);
  t.is((await run("store", "list", "nobody")).err, 'The tenant "nobody" does not exist.\n');
});

test.serial("a new secret is shown once, by the put that created it", async (t) => {
  const made = await run("user", "put", "demo", "till-7", fileOf({ stores: "*", scope: "items:read" }));
  t.regex(made.out, /^user till-7 of demo is created\nits password, shown only here: [\w-]{32}\n$/);
  t.deepEqual(JSON.parse((await run("user", "show", "demo", "till-7")).out), {
    name: "till-7",
    stores: "*",
    scope: "items:read",
  });
  const server = await run("label-server", "put", "demo", "one", fileOf({ url: "http://127.0.0.1:9" }));
  t.regex(server.out, /^label server one of demo is created\nits secret, shown only here: \S{32}\n$/);
});
