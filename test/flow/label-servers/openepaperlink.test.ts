import test from "ava";
import { readPicture } from "../../../drawing/pixels/read-picture.ts";
import type { UnknownTag } from "../../../schemas/unknown-tag.ts";
import { usualBehaviour } from "../../../scripts/access-point/access-point.ts";
import { serveAccessPoint } from "../../../scripts/access-point/serve.ts";
import type { EmulatedTag } from "../../../scripts/access-point/tag.ts";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { bodyOf, readLabel, writeItems, writeLabels } from "../../api/calls.ts";
import { operate } from "../../api/management/calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelFor, untilOk } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

const TAGS = 12;
const SECOND_MS = 20;
const M2_29 = 0x01;
/** The last byte of the first address. */
const FIRST = 0x20;

const shelfwire = ownStack({
  // Pictures are soon sent again, but even a busy machine reports at least once in this time, so Shelfwire gives up on no label.
  settings: { ACKNOWLEDGE_WITHIN: "8" },
  leavesStale: "a tag never wakes, and the audit compares the labels of the emulated label server",
});

const behaviour = { ...usualBehaviour, secondMs: SECOND_MS, sleep: 20 };
interface Hung {
  barcode: string;
  itemId: string;
  tag: EmulatedTag;
}

let accessPoint: Awaited<ReturnType<typeof serveAccessPoint>>;
let hung: Hung[];
/** All labels except the last, whose tag never wakes. */
let awake: Hung[];
test.before(async () => {
  accessPoint = await serveAccessPoint({ ...behaviour, seed: 7, loss: 0.2, duplicates: 0.2, lostMessages: 0.1 });
  hung = Array.from({ length: TAGS }, (_, index) => {
    const mac = `00000218D6C53B${(FIRST + index).toString(16).toUpperCase()}`;
    const tag = accessPoint.add(mac, M2_29, { isAsleep: index === TAGS - 1 });
    return { barcode: labelFor(`tag ${index}`), itemId: `tag ${index}`, tag };
  });
  awake = hung.slice(0, -1);
});
test.after.always(() => accessPoint.close());

const setPrices = (round: number) =>
  writeItems(
    shelfwire,
    hung.map(({ itemId }, index) => ({ itemId, itemName: itemId, price: `${round}.${10 + index}` })),
  );

/** Returns the colours of the picture that the API reports for the label, pixel by pixel. */
async function statedColors(barcode: string): Promise<string[]> {
  const answer = await shelfwire.call("GET", `/labels/${barcode}/image`);
  const { palette, pixels } = readPicture(Buffer.from(await answer.arrayBuffer()));
  return Array.from(pixels, (pixel) => palette[pixel] ?? "none");
}

function shownColors({ shown, type }: EmulatedTag): string[] {
  const names = Object.keys(type.colortable);
  return Array.from(shown.at(-1)?.pixels ?? [], (pixel) => names[pixel] ?? "none");
}

test.serial("a store's labels are moved to an access point", async (t) => {
  const management = "/t/demo/api/management/v1";
  const server = { url: accessPoint.url, driver: "openepaperlink", uploadIntervalMs: SECOND_MS };
  t.like(await bodyOf(await operate(shelfwire, "PUT", `${management}/label-servers/shelf`, server)), server);
  await bodyOf(await operate(shelfwire, "PUT", `${management}/stores/main`, { ...demoStore, labelServer: "shelf" }));
  await setPrices(1);
  const rows = hung.map(({ barcode, itemId, tag }) => ({ barcode, device: tag.mac, links: [{ itemId }] }));
  t.true((await writeLabels(shelfwire, rows)).every(({ status }) => status === "SUCCESS"));
});

test.serial("whatever fails, every tag that wakes ends up showing the newest picture, pixel for pixel", async (t) => {
  await eventually(
    "half of the tags show a price",
    async () => awake.filter(({ tag }) => tag.updateCount > 0).length > 5,
  );
  accessPoint.dropSockets();
  await setPrices(2);
  await eventually("some tags show the next price", async () => awake.some(({ tag }) => tag.updateCount > 1));
  accessPoint.reboot();
  await setPrices(3);
  for (const { barcode, tag } of awake) {
    await eventually(`${barcode} is OK and shows the drawn picture`, async () => {
      const { plState } = await readLabel(shelfwire, barcode);
      const [stated, shown] = [await statedColors(barcode), shownColors(tag)];
      return plState === "OK" && stated.length === shown.length && stated.every((color, at) => color === shown[at]);
    });
  }
  // On a busy machine, Shelfwire may already have given up on the label.
  t.regex((await readLabel(shelfwire, hung.at(-1)?.barcode ?? "")).plState, /^(PENDING|ERROR)$/);
});

test.serial("the picture of a label whose device changes is sent to the new tag without another call", async (t) => {
  const [label] = awake;
  if (label === undefined) return t.fail();
  const tag = accessPoint.add(`00000218D6C53B${(FIRST + TAGS).toString(16).toUpperCase()}`, M2_29);
  await writeLabels(shelfwire, [{ barcode: label.barcode, device: tag.mac }]);
  awake[0] = { ...label, tag };
  await untilOk(shelfwire, label.barcode);
  t.deepEqual(shownColors(tag), await statedColors(label.barcode));
});

test.serial("the former tag is listed as unknown, and the others are not", async (t) => {
  const read = async () =>
    bodyOf<UnknownTag[]>(await operate(shelfwire, "GET", "/t/demo/api/management/v1/label-servers/shelf/unknown-tags"));
  await eventually("the former tag is listed", async () => (await read()).length > 0);
  t.deepEqual(
    (await read()).map(({ device, name }) => [device, name]),
    [[hung[0]?.tag.mac, 'M2 2.9"']],
  );
});

test.serial("no tag showed an older picture after a newer one", (t) => {
  for (const { barcode, tag } of awake) {
    const pictures = tag.shown.map(({ pixels }) => Buffer.from(pixels).toString("latin1"));
    const changes = pictures.filter((picture, index) => picture !== pictures[index - 1]);
    t.is(new Set(changes).size, changes.length, barcode);
  }
});

test.serial("uploads never overlapped, and none followed the previous upload too soon", (t) => {
  t.like(accessPoint.totals, { overlaps: 0, lostInBursts: 0, reboots: 1 });
});
