import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { commandBlocks } from "../../docs/commands/command-blocks.ts";
import { eventually } from "../../harness/eventually.ts";
import { type Installation, openInstallation } from "../../harness/installation.ts";

const script = commandBlocks()
  .filter(({ file, section }) => file === "docs/operations/install.md" && section === "Installing")
  .map(({ commands }) => commands)
  .join("\n");

let installation: Installation;
test.before(async () => {
  installation = await openInstallation();
});
test.after.always(() => installation.close());

test("the commands on the page about installing Shelfwire lead from empty databases to a picture on every label", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "shelfwire-page-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const picture = join(folder, "label.png");
  const out = await installation.run(script.replace("-o label.png", `-o ${picture}`));
  t.regex(out, /store first of corner would be created/);
  t.regex(out, /store first of corner is created/);

  const barcodes = [...new Set([...script.matchAll(/"barcode": "(\w+)"/g)].map(([, barcode = ""]) => barcode))];
  t.is(barcodes.length, 3, "each of the three stores has a label");
  const { labels } = installation.labelServers.installation;
  const glassOf = (barcode: string) => labels.get(barcode)?.pages.get(0)?.png;
  for (const barcode of barcodes) await eventually(`${barcode} has its picture`, async () => glassOf(barcode));
  t.deepEqual(
    readFileSync(picture),
    glassOf("D4N3FS4MLZ3613288"),
    "the page's last command reads the picture on the glass",
  );
  await eventually("nothing is stale", async () => {
    const stale = await Promise.all(installation.workers.map((worker) => worker.findStale()));
    return stale.flat().length === 0;
  });
});
