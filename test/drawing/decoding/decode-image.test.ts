import test from "ava";
import { Jimp } from "jimp";
import { createDecoding } from "../../../drawing/decoding/decoding.ts";
import { decodingBounds } from "../../../drawing/decoding/decoding-bounds.ts";
import { ThreadError } from "../../../runtime/thread/thread.ts";

/** Limits with more time than any machine takes. */
const patient = { ...decodingBounds, timeoutMs: 600_000 };
const { decodeAsset: decode } = createDecoding(patient);
const svg = (inside: string, box = "0 0 40 20") =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${inside}</svg>`);

async function decoded(file: Uint8Array, mediaType: "image/png" | "image/jpeg" | "image/svg+xml") {
  const answer = await decode({ file, mediaType });
  if (!("image" in answer)) throw new Error(JSON.stringify(answer));
  const { image } = answer;
  const { bitmap } = await Jimp.read(Buffer.from(image.png));
  const at = (x: number, y: number) =>
    bitmap.data
      .readUInt32BE((y * bitmap.width + x) * 4)
      .toString(16)
      .padStart(8, "0");
  return { ...image, bitmap, at };
}

test("a file that a busy machine has no time to decode is not rejected as faulty, now or later", async (t) => {
  const hurried = createDecoding({ ...decodingBounds, timeoutMs: 1 });
  const file = await new Jimp({ width: 30, height: 20, color: 0xff0000ff }).getBuffer("image/png");
  for (const _ of [1, 2])
    await t.throwsAsync(() => hurried.decodeAsset({ file, mediaType: "image/png" }), { instanceOf: ThreadError });
});

test("a small image keeps its size and pixels, including transparent ones", async (t) => {
  const image = new Jimp({ width: 30, height: 20, color: 0xff0000ff });
  image.setPixelColor(0x00000000, 3, 4);
  const { width, height, at } = await decoded(await image.getBuffer("image/png"), "image/png");
  t.deepEqual([width, height, at(0, 0), at(3, 4)], [30, 20, "ff0000ff", "00000000"]);
});

test("a large image is reduced to 1024 pixels and keeps its aspect ratio", async (t) => {
  const image = new Jimp({ width: 2000, height: 500, color: 0x0000ffff });
  const { width, height } = await decoded(await image.getBuffer("image/jpeg"), "image/jpeg");
  t.deepEqual([width, height], [1024, 256]);
});

test("an SVG is drawn at 1024 pixels, and unpainted areas are transparent", async (t) => {
  const { width, height, at } = await decoded(
    svg('<rect x="0" y="0" width="20" height="20" fill="#00f"/>'),
    "image/svg+xml",
  );
  t.deepEqual([width, height, at(10, 10), at(900, 10)], [1024, 512, "0000ffff", "00000000"]);
  const upright = await decoded(svg("<rect width='1' height='1'/>", "0 0 10 20"), "image/svg+xml");
  t.deepEqual([upright.width, upright.height], [512, 1024]);
});

test("an SVG's text uses the built-in typeface, whatever typeface it names", async (t) => {
  for (const family of ["Arial", "DejaVu Sans", "nothing"]) {
    const { bitmap } = await decoded(svg(`<text x="2" y="16" font-family="${family}">BIO</text>`), "image/svg+xml");
    const ink = bitmap.data.filter((value, index) => index % 4 === 3 && value > 128).length;
    t.true(ink > 20_000, `${family}: ${ink} pixels`);
  }
});

test("external references of an SVG are not loaded", async (t) => {
  const { at } = await decoded(svg('<image href="file:///etc/hostname" width="40" height="20"/>'), "image/svg+xml");
  t.is(at(500, 250), "00000000");
});

const broken: [what: string, file: Buffer, mediaType: "image/png" | "image/svg+xml"][] = [
  ["an empty PNG", Buffer.from("89504e470d0a1a0a", "hex"), "image/png"],
  ["an SVG that is not well-formed", Buffer.from('<svg viewBox="0 0 1 1"><a></svg>'), "image/svg+xml"],
];
for (const [what, file, mediaType] of broken)
  test(`${what} has a fault, and the next image is decoded`, async (t) => {
    const answer = await decode({ file, mediaType });
    t.true("failed" in answer && answer.failed.length > 0);
    t.false("failed" in (await decode({ file: svg("<rect/>"), mediaType: "image/svg+xml" })));
  });

test("an image that takes too long ends its thread with a fault, and the next image is decoded", async (t) => {
  const hasty = createDecoding({ ...patient, processorMs: 1 });
  const blurred =
    '<filter id="f"><feGaussianBlur stdDeviation="20"/></filter><rect width="40" height="20" filter="url(#f)"/>';
  const answer = await hasty.decodeAsset({ file: svg(blurred.repeat(50)), mediaType: "image/svg+xml" });
  t.regex("failed" in answer ? answer.failed : "", /more than 0.001 seconds of processor time/);
});
