import test from "ava";
import { readPicture } from "../../../drawing/pixels/read-picture.ts";
import type { LabelExplanation } from "../../../schemas/explanation.ts";
import type { LabelServerHealth } from "../../../schemas/label-server-health.ts";
import { usualBehaviour } from "../../../scripts/access-point/access-point.ts";
import { serveAccessPoint } from "../../../scripts/access-point/serve.ts";
import type { EmulatedTag } from "../../../scripts/access-point/tag.ts";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { bodyOf, pointersOf, readLabel, refused, writeItems, writeLabels } from "../../api/calls.ts";
import { operate } from "../../api/management/calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { LABEL_SERVER_SECRET } from "../../harness/served.ts";

const MANAGEMENT = "/t/demo/api/management/v1";
const SECOND_MS = 20;
const M2_29 = 0x01;

const shelfwire = ownStack({
  settings: { ACKNOWLEDGE_WITHIN: "8" },
  leavesStale: "the audit compares the labels of the emulated label server, and some are on an access point",
});

/** Labels of a store with two label servers. Each label is named after whatever determines its label server. */
const inHall = labelFor("in the hall");
const inNone = labelFor("in no department");
const onShelf = labelFor("on the shelf");
const byTransceiver = labelFor("by its transceiver");
const all = [inHall, inNone, onShelf, byTransceiver];

const linkDepartments = [
  { id: "hall", transceivers: ["T1"] },
  { id: "shelf", transceivers: ["T9"], labelServer: "shelf" },
];

let accessPoint: Awaited<ReturnType<typeof serveAccessPoint>>;
const tags = new Map<string, EmulatedTag>();
test.before(async () => {
  accessPoint = await serveAccessPoint({ ...usualBehaviour, secondMs: SECOND_MS, sleep: 5 });
  for (const [index, barcode] of [onShelf, byTransceiver].entries())
    tags.set(barcode, accessPoint.add(`00000218D6C53B4${index}`, M2_29, { isAsleep: false }));
});
test.after.always(() => accessPoint.close());

const putServer = async (url: string) =>
  bodyOf(
    await operate(shelfwire, "PUT", `${MANAGEMENT}/label-servers/shelf`, {
      ...{ url, driver: "openepaperlink", uploadIntervalMs: SECOND_MS },
    }),
  );

const putStore = (departments: object[]) =>
  operate(shelfwire, "PUT", `${MANAGEMENT}/stores/main`, { ...demoStore, linkDepartments: departments });

const setPrices = (round: number) =>
  writeItems(
    shelfwire,
    all.map((barcode, index) => ({ itemId: barcode, itemName: barcode, price: `${round}.${10 + index}` })),
  );

/** Returns the picture that the API reports for a label. */
async function stated(barcode: string): Promise<Buffer> {
  const answer = await shelfwire.call("GET", `/labels/${barcode}/image`);
  return Buffer.from(await answer.arrayBuffer());
}

const onEmulator = (barcode: string) => shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.png;

function colorsOf(png: Buffer): string[] {
  const { palette, pixels } = readPicture(png);
  return Array.from(pixels, (pixel) => palette[pixel] ?? "none");
}

/** Returns the colours that a tag of the access point shows. */
function onTag(barcode: string): string[] {
  const { shown = [], type } = tags.get(barcode) ?? {};
  const names = Object.keys(type?.colortable ?? {});
  return Array.from(shown.at(-1)?.pixels ?? [], (pixel) => names[pixel] ?? "none");
}

/** Each label's picture before the current round of prices. */
const former = new Map<string, Buffer>();

/** Waits until the API reports a new picture for a label, and returns the picture. */
async function untilShown(barcode: string): Promise<Buffer> {
  const next = await eventually(`${barcode} shows the next price`, async () => {
    const { plState } = await readLabel(shelfwire, barcode);
    const picture = await stated(barcode);
    return plState === "OK" && !former.get(barcode)?.equals(picture) && picture;
  });
  former.set(barcode, next);
  return next;
}

test.serial("a department names one of the tenant's label servers, which then cannot be removed", async (t) => {
  const problem = await refused(t, await putStore(linkDepartments), 400);
  t.deepEqual(pointersOf(problem), ["/linkDepartments/1/labelServer"]);
  await putServer(accessPoint.url);
  const saved = await bodyOf<{ linkDepartments: object[] }>(await putStore(linkDepartments));
  t.deepEqual(saved.linkDepartments, linkDepartments);
  const inUse = await refused(t, await operate(shelfwire, "DELETE", `${MANAGEMENT}/label-servers/shelf`), 409);
  t.regex(inUse.detail ?? "", /The store "main" uses the label server "shelf"/);
});

test.serial("each label receives its picture from its department's label server", async (t) => {
  await setPrices(1);
  const device = (barcode: string) => ({ device: tags.get(barcode)?.mac ?? "" });
  const rows = [
    { barcode: inHall, linkDepartment: "hall" },
    { barcode: inNone },
    { barcode: onShelf, linkDepartment: "shelf", ...device(onShelf) },
    { barcode: byTransceiver, linkDepartment: "hall", homeTrx: "T9", ...device(byTransceiver) },
  ].map((row) => ({ ...row, links: [{ itemId: row.barcode }] }));
  t.deepEqual(
    (await writeLabels(shelfwire, rows)).filter(({ status }) => status !== "SUCCESS"),
    [],
  );
  for (const barcode of [inHall, inNone]) t.deepEqual(await untilShown(barcode), onEmulator(barcode));
  for (const barcode of [onShelf, byTransceiver]) {
    t.deepEqual(colorsOf(await untilShown(barcode)), onTag(barcode));
    t.is(onEmulator(barcode), undefined, "the other label server has not received the label's picture");
  }
});

test.serial("only a label's own label server may send reports about it", async (t) => {
  const at = new Date().toISOString();
  const report = (barcode: string) => ({ store: "t/demo/s/main", barcode, kind: "check-in", at });
  const send = (barcodes: readonly string[]) =>
    fetch(`${shelfwire.origin}/label-server/v1/reports`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${LABEL_SERVER_SECRET}` },
      body: JSON.stringify({ reports: barcodes.map(report) }),
    });
  const problem = await refused(t, await send([onShelf, byTransceiver]), 403);
  t.regex(problem.detail ?? "", /The label ".+" of the store "t\/demo\/s\/main" uses another label server/);
  t.is((await send([onShelf, inHall])).status, 204, "the reports about its own labels are applied");
});

test.serial("an unreachable label server delays only its own labels, and is named", async (t) => {
  await putServer("http://127.0.0.1:1");
  let round = 20;
  await eventually("the explanation names the label server", async () => {
    // Until the transmitter reads the record again, a price may still be sent to the former address.
    if ((await readLabel(shelfwire, onShelf)).plState === "OK") {
      round += 1;
      await setPrices(round);
    }
    const answer = await shelfwire.call("GET", `/labels/${onShelf}/explain`);
    const { cause, summary } = await bodyOf<LabelExplanation>(answer);
    return cause === "LABEL_SERVER_AWAY" && summary.includes('the label server "shelf"');
  });
  for (const barcode of [inHall, inNone])
    await eventually(`${barcode} shows its price`, async () => {
      const [{ plState }, picture] = [await readLabel(shelfwire, barcode), await stated(barcode)];
      if (plState !== "OK" || former.get(barcode)?.equals(picture)) return false;
      return onEmulator(barcode)?.equals(picture) && former.set(barcode, picture);
    });
  // A transmitter's report that a label server is unreachable expires if the transmitter is blocked for some seconds.
  const health = await eventually("one label server is listed as AWAY", async () => {
    const read = await bodyOf<LabelServerHealth[]>(
      await operate(shelfwire, "GET", `${MANAGEMENT}/label-server-health`),
    );
    return read.map(({ state }) => state).join() === "ANSWERS,AWAY" && read;
  });
  t.deepEqual(
    health.map(({ labelServerId, stores, state }) => ({ labelServerId, stores, state })),
    [
      { labelServerId: null, stores: ["main"], state: "ANSWERS" },
      { labelServerId: "shelf", stores: ["main"], state: "AWAY" },
    ],
  );
  await putServer(accessPoint.url);
  for (const barcode of [onShelf, byTransceiver]) t.deepEqual(colorsOf(await untilShown(barcode)), onTag(barcode));
});

test.serial("a label in a new department receives its next picture from that department's label server", async (t) => {
  await writeLabels(shelfwire, [{ barcode: onShelf, linkDepartment: "hall" }]);
  await setPrices(3);
  for (const barcode of [onShelf, inHall, inNone]) t.deepEqual(await untilShown(barcode), onEmulator(barcode));
  t.deepEqual(colorsOf(await untilShown(byTransceiver)), onTag(byTransceiver));
  // If a department no longer names a label server, its labels leave that server too.
  await bodyOf(await putStore(linkDepartments.map(({ id, transceivers }) => ({ id, transceivers }))));
  await setPrices(4);
  for (const barcode of all) t.deepEqual(await untilShown(barcode), onEmulator(barcode));
});
