import test from "ava";
import { models } from "../../../scripts/demo/catalogue.ts";
import { labelFor } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf, refused } from "../calls.ts";

const shelfwire = servedStack({ workers: [] });

const read = async (path: string) =>
  (await bodyOf<{ models: { name: string; labelTypes: number[] }[] }>(await shelfwire.call("GET", path))).models;
const namesOf = async (path: string) => (await read(path)).map(({ name }) => name).sort();

test("GET /labels/models lists every model with exactly its three fields", async (t) => {
  const shown = await read("/labels/models");
  t.deepEqual(
    shown.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    models.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  );
});

test("a label type lists only its own models", async (t) => {
  t.deepEqual(await namesOf("/labels/models/1328"), ["Medium"]);
  t.deepEqual(await namesOf("/labels/models/1340"), ["Poster"]);
});

test("a barcode selects its label type, even without a label of that barcode", async (t) => {
  t.deepEqual(await namesOf(`/labels/models/${labelFor("anything", "1340")}`), ["Poster"]);
});

test("if nothing is found the response is an empty list, not an error", async (t) => {
  for (const one of ["9999", "nobody", "D4WRONG"]) t.deepEqual(await namesOf(`/labels/models/${one}`), []);
});

test("a literal segment wins over a parameter: models is not a barcode", async (t) => {
  await refused(t, await shelfwire.call("GET", "/labels/model"), 404);
  t.is((await shelfwire.call("GET", "/labels/models")).status, 200);
});
