import test, { type ExecutionContext } from "ava";
import { communicationPacks } from "../../../records/kinds/designs.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import type { Scenario } from "../../../schemas/design.ts";
import type { CauseName, LabelExplanation } from "../../../schemas/explanation.ts";
import type { IntegrityReport } from "../../../schemas/integrity.ts";
import { tenantKey } from "../../../schemas/keys.ts";
import type { PlState } from "../../../schemas/label.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { demoPack } from "../../../scripts/demo/designs.ts";
import { bodyOf, readLabel, sendPageImage, writeItems, writeLabels } from "../../api/calls.ts";
import { manage } from "../../api/management/calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, itemOutcomes, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { sessionOf } from "../../harness/served.ts";
import { cardsOf } from "../../harness/truth/read-pages.ts";

/** Whatever breaks, the API and the pages report a label's glass correctly, or report it as unknown. */
const shelfwire = ownStack({
  withFront: true,
  workers: ["item", "pages", "link", "evaluator", "merger"],
});
const names = ["apple", "pear", "plum"];
const [apple = "", pear = "", plum = ""] = names.map((name) => labelFor(name));
const workers = new Map<"renderer" | "transmitter", { close(): Promise<void> }>();
const start = async (name: "renderer" | "transmitter") => void workers.set(name, await shelfwire.openWorker(name));

test.serial.before(async () => {
  await start("renderer");
  await start("transmitter");
  await writeItems(
    shelfwire,
    names.map((itemId) => ({ itemId, itemName: itemId, price: "1.99" })),
  );
  await writeLabels(
    shelfwire,
    names.map((itemId) => ({ barcode: labelFor(itemId), links: [{ itemId }] })),
  );
  for (const name of names) await glassOf(shelfwire, labelFor(name));
});

const explain = async (barcode: string) =>
  bodyOf<LabelExplanation>(await shelfwire.call("GET", `/labels/${barcode}/explain`));
const setPrice = async (itemId: string, price: string) => (await writeItems(shelfwire, [{ itemId, price }]))[0]?.status;

/** Waits until a label has this state and cause, and integrity lists it with the same cause, or not at all if `isRight`. */
const untilReported = (barcode: string, plState: PlState, cause: CauseName, isRight = false) =>
  eventually(`${barcode} is ${plState}, ${cause}`, async () => {
    const explanation = await explain(barcode);
    const report = await bodyOf<IntegrityReport>(await manage(shelfwire, "GET", "/stores/main/integrity"));
    const row = report.behind?.find((one) => one.barcode === barcode);
    const said = [(await readLabel(shelfwire, barcode)).plState, explanation.plState, explanation.cause, row?.cause];
    if (said.join() === [plState, plState, cause, isRight ? undefined : cause].join()) return explanation;
    throw new Error(`the label is reported as ${said.join(", ")}`);
  });

/** Reads the overview as a browser without scripts: its counts of all and of right labels, and its comparison's result. */
async function readOverview() {
  session ??= await sessionOf(shelfwire.origin, await shelfwire.token());
  const headers = { cookie: session, accept: "text/html" };
  const page = await (await fetch(`${shelfwire.origin}/?checks=1`, { headers })).text();
  const { labels, counted, compared } = cardsOf(page).get("main") ?? {};
  return { all: labels, right: counted?.OK, compared };
}
let session: string | undefined;

/** Asserts that no report contradicts the glass, and that the overview counts this many labels as right. */
async function agrees(t: ExecutionContext, right: number): Promise<void> {
  await shelfwire.assertStatementsMatchGlass();
  t.deepEqual(await readOverview(), { all: names.length, right, compared: [right, names.length] });
}

test.serial(
  "a report that contradicts the glass is detected in the state, integrity, explain, the log and the pages",
  async (t) => {
    await shelfwire.assertStatementsMatchGlass();
    // Only the first label of each state is explained.
    const [first = "", other = ""] = names.map((name) => labelFor(name)).sort();
    const pages = shelfwire.labelServer.labels.get(first)?.pages;
    const [right, another] = [pages?.get(0), shelfwire.labelServer.labels.get(other)?.pages.get(0)];
    if (pages === undefined || right === undefined || another === undefined)
      return t.fail("no picture is on the glass");
    pages.set(0, { ...right, png: another.png });
    const found = (await shelfwire.readContradictions()).join("\n");
    pages.set(0, right);
    for (const said of [
      "plState is OK, and the glass",
      "integrity counts the label as right",
      "explain says UP_TO_DATE",
      "the log says",
      "the page says that the newest picture is shown",
      "the page does not have the picture on the glass",
    ])
      t.true(found.includes(`${first}: ${said}`), said);
    t.true(found.includes("the overview calls every label right"));
    t.false(found.includes(other), "all other labels are right");
  },
);

test.serial("while the label server is unreachable a stored price is not reported as shown", async (t) => {
  shelfwire.front?.answer(() => "hangs up");
  t.is(await setPrice("apple", "2.49"), "SUCCESS");
  const { glass, summary } = await untilReported(apple, "PENDING", "LABEL_SERVER_AWAY");
  t.is(glass[0]?.items?.[0]?.price, "1.99");
  t.regex(summary, /shows an earlier picture, of .* at 1.99/);
  await agrees(t, 2);
  shelfwire.front?.release();
  await shelfwire.call("POST", `/labels/${apple}/refresh`);
  await untilReported(apple, "OK", "UP_TO_DATE", true);
  await agrees(t, 3);
});

test.serial("a picture whose report is lost is reported as unacknowledged, although it is on the glass", async (t) => {
  const { labels, port } = shelfwire.labelServer;
  const lost = Promise.withResolvers<{ path: string; headers: Record<string, string>; body: Buffer }>();
  shelfwire.front?.answer(({ method, path, headers, body }) => {
    const page = labels.get(pear)?.pages.get(0);
    if (method !== "PUT" || page === undefined || !path.includes(pear)) return undefined;
    labels.get(pear)?.pages.set(0, { ...page, png: body });
    const { connection: _, "content-length": __, ...sent } = headers as Record<string, string>;
    lost.resolve({ path, headers: sent, body });
    return { status: 202 };
  });
  t.is(await setPrice("pear", "2.49"), "SUCCESS");
  const { path, headers, body } = await lost.promise;
  const { onItsWay, glass } = await untilReported(pear, "PENDING", "ON_ITS_WAY");
  t.truthy(onItsWay);
  t.false(glass[0]?.isWanted);
  await agrees(t, 2);
  // The label server accepts the picture again, and its report arrives.
  await fetch(`http://127.0.0.1:${port}${path}`, { method: "PUT", headers, body: new Uint8Array(body) });
  await untilReported(pear, "OK", "UP_TO_DATE", true);
  shelfwire.front?.release();
  await agrees(t, 3);
});

test.serial("an uploaded page reports no price, and the drawn picture returns with its price", async (t) => {
  const before = await glassOf(shelfwire, plum);
  const upload = await sendPageImage(shelfwire, "plum", 0, await glassOf(shelfwire, apple));
  const { requestId } = (await upload.json()) as { requestId: number };
  t.is((await itemOutcomes(shelfwire, requestId))[0]?.status, "SUCCESS");
  await eventually("the upload is on the glass", async () => !(await glassOf(shelfwire, plum)).equals(before));
  t.is(await setPrice("plum", "3.49"), "SUCCESS");
  const { glass } = await untilReported(plum, "OK", "UP_TO_DATE", true);
  t.true(glass[0]?.isUploaded);
  t.is(glass[0]?.items?.[0]?.price, null);
  await agrees(t, 3);
  await shelfwire.call("DELETE", "/items/plum/page/0");
  await eventually("the price is reported", async () => (await explain(plum)).glass[0]?.items?.[0]?.price === "3.49");
  await untilReported(plum, "OK", "UP_TO_DATE", true);
  await agrees(t, 3);
});

for (const [name, others] of [
  ["renderer", "transmitter"],
  ["transmitter", "renderer"],
] as const)
  test.serial(`without a running ${name} a price is not reported as shown, whatever the ${others} does`, async (t) => {
    await workers.get(name)?.close();
    try {
      t.is(await setPrice("apple", name === "renderer" ? "4.49" : "5.49"), "SUCCESS");
      const { summary } = await untilReported(apple, "PENDING", "PROCESS_MISSING");
      t.true(summary.includes(`no process of the ${name} worker is running`), summary);
      await agrees(t, 2);
    } finally {
      await start(name);
    }
    await untilReported(apple, "OK", "UP_TO_DATE", true);
    await agrees(t, 3);
  });

async function setRules(scenarios: readonly Scenario[]): Promise<void> {
  const { records, commit } = shelfwire.system;
  const tenant = tenantKey(TENANT_ID);
  const pack = (await records.read(tenants, [tenant])).get(tenant)?.communicationPack ?? "";
  await commit.change(
    communicationPacks,
    [pack],
    () => ({ name: demoPack.name, scenarios: [...scenarios] }),
    "interactive",
  );
}

test.serial("rules that never apply leave a price off the label, and nothing reports it as correct", async (t) => {
  const [scenario] = demoPack.scenarios;
  if (scenario === undefined) return t.fail("the demo has no scenario");
  await setRules([{ ...scenario, cel_expression: "false", children: [] }]);
  for (const name of names) await untilReported(labelFor(name), "ERROR", "PICTURE_FAULT");
  await agrees(t, 0);
  await setRules(demoPack.scenarios);
  for (const name of names) await untilReported(labelFor(name), "OK", "UP_TO_DATE", true);
  await agrees(t, 3);
});
