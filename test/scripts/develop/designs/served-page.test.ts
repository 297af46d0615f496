import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { filesBeside } from "../../../../scripts/develop/designs/files-beside.ts";
import { servePage } from "../../../../scripts/develop/designs/serve-page.ts";

const file = "mine.json";

test("images and fonts in a design's folder are found", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-designs-"));
  t.teardown(() => rm(folder, { recursive: true }));
  for (const name of ["logo.svg", "brand.ttf", "notes.txt", file]) await writeFile(join(folder, name), "");
  t.deepEqual(await filesBeside([join(folder, file)], ["/other/logo.png"]), [
    ...["brand.ttf", "logo.svg"].map((name) => join(folder, name)),
    "/other/logo.png",
  ]);
  t.deepEqual(await filesBeside([], []), []);
});

test("a served page announces its changes to every window", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-designs-"));
  const path = join(folder, "page.html");
  await writeFile(path, "<main>one</main>");
  const page = await servePage(path);
  t.teardown(() => rm(folder, { recursive: true }));
  t.teardown(() => page.close());
  t.is(await (await fetch(page.address)).text(), "<main>one</main>");
  const { body } = await fetch(new URL("changes", page.address));
  const events = body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  t.is((await events?.next())?.value, "retry: 1000\n\n");
  page.announce();
  t.is((await events?.next())?.value, "data: changed\n\n");
});
