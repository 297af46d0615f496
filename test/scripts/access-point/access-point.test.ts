import test from "ava";
import { type Behaviour, createAccessPoint, usualBehaviour } from "../../../scripts/access-point/access-point.ts";
import { createRandom } from "../../../scripts/access-point/random.ts";
import { tagTypes } from "../../../scripts/access-point/tag-types.ts";
import { encodeJpeg } from "../../../workers/transmitter/drivers/openepaperlink/tag-picture.ts";
import { eventually } from "../../harness/eventually.ts";

const MAC = "00000218D6C53B19";
const OTHER = "00000218D6C53B1A";
const type = tagTypes.get(0x01);

function open(behaviour: Partial<Behaviour> = {}) {
  const messages: object[] = [];
  const accessPoint = createAccessPoint(
    { ...usualBehaviour, secondMs: 10, ...behaviour },
    (message) => void messages.push(message),
  );
  const lines = () => messages.flatMap((message) => Object.entries(message)).filter(([kind]) => kind !== "tags");
  return { accessPoint, messages, lines };
}

/** Returns a picture in a single colour. */
const plain = (color: number): Promise<Buffer> =>
  encodeJpeg(
    { width: 296, height: 128, palette: ["white", "black", "red"], pixels: new Uint8Array(296 * 128).fill(color) },
    type?.colortable ?? {},
  );

test("a tag shows its picture after it has woken, and its count of updates grows", async (t) => {
  const { accessPoint, lines } = open();
  const tag = accessPoint.add(MAC, 0x01);
  t.deepEqual(await accessPoint.upload(MAC, await plain(2)), [200, "Ok, saved"]);
  t.is(tag.shown.length, 0);
  await eventually("it is shown", async () => tag.updateCount === 1);
  t.true(tag.shown[0]?.pixels.every((color) => color === 2));
  t.deepEqual(lines(), [["logMsg", `${MAC} reports xfer complete`]]);
  accessPoint.close();
});

test("a picture that arrives directly after another is lost without any message", async (t) => {
  const { accessPoint } = open({ secondMs: 1_000_000 });
  accessPoint.add(MAC, 0x01);
  accessPoint.add(OTHER, 0x01);
  const picture = await plain(1);
  await accessPoint.upload(MAC, picture);
  t.deepEqual(await accessPoint.upload(OTHER, picture), [200, "Ok, saved"]);
  t.like(accessPoint.totals, { uploads: 2, lostInBursts: 1 });
  accessPoint.close();
});

test("after a timeout no picture waits for the tag", async (t) => {
  const { accessPoint, lines } = open({ loss: 1 });
  const tag = accessPoint.add(MAC, 0x01);
  await accessPoint.upload(MAC, await plain(1));
  await eventually("it timed out", async () => accessPoint.totals.timeouts > 0);
  t.deepEqual([tag.queue.length, tag.shown.length], [0, 0]);
  t.deepEqual(lines()[0], ["errMsg", `< ${MAC} xfer timeout`]);
  accessPoint.close();
});

test("a picture that the tag already shows is dropped, and the message names no tag", async (t) => {
  const { accessPoint, lines } = open();
  const tag = accessPoint.add(MAC, 0x01);
  const picture = await plain(1);
  await accessPoint.upload(MAC, picture);
  await eventually("it is shown", async () => tag.updateCount === 1);
  await accessPoint.upload(MAC, picture);
  await eventually("it is dropped", async () => lines().length === 2);
  t.regex(String(lines()[1]?.[1]), /^new image is the same as current image/);
  accessPoint.close();
});

test("a restart discards waiting pictures, and the access point accepts none for a while", async (t) => {
  const { accessPoint } = open();
  const tag = accessPoint.add(MAC, 0x01, { isAsleep: true });
  const picture = await plain(1);
  await accessPoint.upload(MAC, picture);
  await eventually("it waits", async () => tag.queue.length === 1);
  accessPoint.reboot();
  t.is(tag.queue.length, 0);
  t.is((await accessPoint.upload(MAC, picture))[0], 409);
  await eventually("it runs", async () => (await accessPoint.upload(MAC, picture))[0] === 200);
  accessPoint.close();
});

test("the same seed produces the same random numbers", (t) => {
  const [one, same, other] = [7, 7, 8].map((seed) => Array.from({ length: 5 }, createRandom(seed)));
  t.deepEqual(one, same);
  t.notDeepEqual(one, other);
});
