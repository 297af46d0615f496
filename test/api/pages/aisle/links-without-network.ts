import { eventually, STUCK_AFTER_MS } from "../../../harness/eventually.ts";
import type { Served } from "../../../harness/served.ts";
import { type BrowserTest, keepPicture } from "../browser.ts";
import {
  aisleOf,
  asks,
  CODE,
  cachedPaths,
  cut,
  cutFirstLink,
  filmed,
  freed,
  hung,
  isSent,
  PATIENT,
  PLAIN_HOST,
  scan,
} from "./an-aisle.ts";

/** Declares tests of links on the aisle page, without a network or over plain HTTP, on the caller's Shelfwire and browser. */
export function testLinksWithoutNetwork(browserTest: BrowserTest, shelfwire: Served): void {
  const { open, itemsOf } = aisleOf(shelfwire);

  browserTest("a link whose response is lost is sent again and made once", async (t, { enter }) => {
    const page = await enter({ serviceWorkers: "block", viewport: { width: 390, height: 844 } });
    const { answers, restore } = await cutFirstLink(page);
    await open(page);
    await scan(page, cut);
    await asks(page, "Now scan the item");
    await scan(page, CODE);
    await page.getByText("1 change has not been sent yet").waitFor();
    await page.getByText("Stored here. It is sent once the network is back.").waitFor();
    t.true(await page.getByText("No network.").isVisible());
    await scan(page, hung);
    await scan(page, CODE);
    await page.getByText("2 changes have not been sent yet").waitFor();
    await keepPicture(page, "aisle-offline-phone-light", false);
    await restore();
    await page.getByText("Everything has been sent").waitFor();
    t.deepEqual([...answers.values()], [true, false], "the lost link was replayed, and the other is new");
    t.deepEqual(await itemsOf(cut), ["pen"]);
    t.deepEqual(await itemsOf(hung), ["pen"]);
    const begun = async () => {
      const history = (await (await shelfwire.call("GET", `/labels/${cut}/history`)).json()) as { result: string }[];
      return history.filter(({ result }) => result === "begun").length;
    };
    await eventually("the transmission of its picture has begun", async () => (await begun()) > 0);
    t.is(await begun(), 1);
  });

  browserTest(
    "without a network the browser opens the page from its cache, which shows waiting changes and no price",
    async (t, { page, context }) => {
      await open(page);
      await page.evaluate(`navigator.serviceWorker.ready`);
      await eventually("the page is stored", () =>
        page.evaluate<boolean>(`caches.match(location.href).then((kept) => kept !== undefined)`),
      );
      await context.setOffline(true);
      await scan(page, freed);
      await scan(page, CODE);
      await page.getByText("1 change has not been sent yet").waitFor();
      await page.reload();
      await page.getByText("1 change has not been sent yet").waitFor();
      t.true(await page.locator("#card").isHidden());
      await context.setOffline(false);
      await page.getByText("Everything has been sent").waitFor();
      t.deepEqual(await itemsOf(freed), ["pen"]);
      const others = (await cachedPaths(page)).filter((path) => path !== "/aisle" && !path.startsWith("/assets/"));
      t.deepEqual(others, []);
    },
  );

  browserTest(
    "over plain HTTP a hand scanner links, and the camera explains what it requires",
    async (t, { context }) => {
      // A context of its own, because the other contexts may only call the server's own address.
      const plain = await context.browser()?.newContext({ locale: "en-GB" });
      if (plain === undefined) return t.fail();
      plain.setDefaultTimeout(STUCK_AFTER_MS);
      await plain.addInitScript({ content: PATIENT });
      const page = await plain.newPage();
      const errors: string[] = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      await page.goto(`${shelfwire.origin.replace("127.0.0.1", PLAIN_HOST)}/login?next=/aisle`);
      await page.fill("[name=token]", await shelfwire.token());
      await page.keyboard.press("Enter");
      await asks(page, "Scan the label");
      t.false(await page.evaluate<boolean>("isSecureContext"));
      await scan(page, filmed);
      await asks(page, "Now scan the item");
      await scan(page, "ruler");
      await isSent(page);
      t.deepEqual(await itemsOf(filmed), ["ruler"]);
      await page.getByRole("button", { name: "Camera" }).click();
      await page.getByText("only at a secure address (https)").waitFor();
      await plain.close();
      t.deepEqual(errors, []);
    },
  );
}
