import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import test from "ava";
import type { Page } from "playwright-core";
import { keyText } from "../../../schemas/proof-key.ts";
import { glassOf, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { localTime } from "../../harness/scheduled-times.ts";
import { moveToUtc, writeItems, writeLabels } from "../calls.ts";
import { assertReadable, browserTests, seen } from "./browser.ts";

const shelfwire = ownStack({ settings: { PROOF_KEY: keyText(generateKeyPairSync("ed25519").privateKey) } });
const browserTest = browserTests(shelfwire);
const label = labelFor("proven");
const folder = mkdtempSync(join(tmpdir(), "shelfwire-proof-"));
test.after.always(() => rmSync(folder, { recursive: true }));

test.serial.before(async () => {
  await moveToUtc(shelfwire);
  await writeItems(shelfwire, [{ itemId: "proven", itemName: "Proven", price: "1.99" }]);
  await writeLabels(shelfwire, [{ barcode: label, plLocation: "A-12", links: [{ itemId: "proven" }] }]);
  await glassOf(shelfwire, label);
});

const open = (page: Page, path: string) => page.goto(`${shelfwire.origin}${path}`);
const now = () => localTime(new Date());

browserTest("a proof's page shows the price, how certain it is, and the acknowledgement", async (t, { page }) => {
  await open(page, `/labels/${label}`);
  await page.getByRole("link", { name: "What did it show?" }).click();
  await page.getByRole("heading", { name: "What the label showed" }).waitFor();
  await page.getByText("€1.99").waitFor();
  await page.getByRole("heading", { name: "Acknowledgement" }).waitFor();
  await page.getByText("The file is signed").waitFor();
  await assertReadable(t, page, "proof");
  await page.emulateMedia({ media: "print" });
  t.false(await page.getByRole("button", { name: "Print" }).isVisible());
  t.true(await page.getByText("€1.99").isVisible());
  await page.emulateMedia({ media: "screen" });
  await page.getByLabel("Date and time").fill("2020-01-01T10:00:00");
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByText("No picture is known").waitFor();
});

browserTest(
  "the page for the shelf at a given time lists labels by location with the price that they showed",
  async (t, { page }) => {
    await open(page, "/shelf");
    await page.getByRole("link", { name: "Earlier prices" }).click();
    const row = page.getByRole("link", { name: new RegExp(label) });
    t.regex((await row.textContent()) ?? "", /A-12.*proven.*€1\.99/);
    await assertReadable(t, page, "shelf-then");
    await open(page, "/shelf/then?at=2020-01-01T10:00:00");
    t.regex((await row.textContent()) ?? "", /unknown/);
    await open(page, "/shelf/then?at=2999-01-01T10:00:00");
    await page.getByText("Choose a time that has passed.").waitFor();
  },
);

browserTest(
  "a saved page verifies a proof from a disk without a network, in three languages",
  async (t, { context }) => {
    const served = await (await fetch(`${shelfwire.origin}/api/proofs/verify.html`)).text();
    const proof = await (
      await shelfwire.call("GET", `/labels/${label}/proof?${new URLSearchParams({ at: now() })}`)
    ).text();
    const [html, genuine, changed] = ["verify.html", "proof.json", "changed.json"].map((name) => join(folder, name));
    writeFileSync(html ?? "", served);
    writeFileSync(genuine ?? "", proof);
    writeFileSync(changed ?? "", proof.replace('"1.99"', '"1.98"'));
    await context.setOffline(true);
    const page = await context.newPage();
    await page.goto(pathToFileURL(html ?? "").href);
    await page.getByLabel("The proof, as it was saved").setInputFiles(genuine ?? "");
    await page.getByText("The proof is genuine").waitFor();
    await page.getByText("proven: 1.99").waitFor();
    await page.getByRole("button", { name: "Deutsch" }).click();
    await page.getByText("Der Nachweis ist echt").waitFor();
    await page.getByRole("button", { name: "Hrvatski" }).click();
    await page.getByText("Dokaz je vjerodostojan").waitFor();
    await page.getByLabel("Dokaz kako je spremljen").setInputFiles(changed ?? "");
    await page.getByText("Dokaz nije vjerodostojan").waitFor();
    t.is(await page.getByText("proven: 1.98").count(), 0);
  },
);

test.serial("no page loads anything from elsewhere or violates its policy", (t) => {
  t.deepEqual(
    { ...seen, foreign: seen.foreign.filter((url) => !url.startsWith("file:")) },
    {
      ...{ foreign: [], violations: [], errors: [] },
    },
  );
});
