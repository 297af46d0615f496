import test from "ava";
import { Jimp } from "jimp";
import type { PageSize } from "../../../domain/items/page-sizes.ts";
import { createDecoding } from "../../../drawing/decoding/decoding.ts";
import { decodingBounds } from "../../../drawing/decoding/decoding-bounds.ts";
import { drawPages } from "../../../drawing/decoding/draw-pages.ts";
import type { Resize } from "../../../schemas/page-image.ts";
import { cmykJpeg } from "../../workers/pages/cmyk-jpeg.ts";

const RED = 0xff0000ff;
const YELLOW = 0xffff00ff;
const BLACK = 0x000000ff;
const WHITE = 0xffffffff;

const bwr = (width: number, height: number): PageSize => ({ width, height, colors: ["white", "black", "red"] });
const bw = (width: number, height: number): PageSize => ({ width, height, colors: ["white", "black"] });
const bwy = (width: number, height: number): PageSize => ({ width, height, colors: ["white", "black", "yellow"] });

/** Limits with more time than any machine takes. */
const patient = { ...decodingBounds, timeoutMs: 600_000 };

type Mime = "image/png" | "image/jpeg" | "image/bmp" | "image/gif";

/** A picture with one colour in its left half and another in its right half. */
function halves(width: number, height: number, left: number, right: number) {
  const image = new Jimp({ width, height, color: right });
  return image.composite(new Jimp({ width: Math.floor(width / 2), height, color: left }), 0, 0);
}
const fileOf = (image: ReturnType<typeof halves>, mime: Mime = "image/png") => image.getBuffer(mime);

/** Draws a file and decodes the pictures. */
async function draw(file: Uint8Array, resize: Resize, sizes: PageSize[]) {
  const { width, height, pictures } = await drawPages({ file, resize, sizes });
  const decoded = await Promise.all(
    pictures.map(async ({ size, file: { png, sha256 } }) => ({
      size,
      sha256,
      image: await Jimp.read(Buffer.from(png)),
    })),
  );
  return { width, height, pictures: decoded };
}
const colorsOf = (image: { bitmap: { width: number; data: Buffer } }, ...points: [x: number, y: number][]) =>
  points.map(([x, y]) => image.bitmap.data.readUInt32BE((y * image.bitmap.width + x) * 4));

test("resize 0: an image of a label's size is kept, once for each palette of that size", async (t) => {
  const file = await fileOf(halves(40, 20, RED, BLACK));
  const { pictures } = await draw(file, 0, [bwr(40, 20), bwy(40, 20), bwr(20, 40), bw(40, 21)]);
  t.deepEqual(
    pictures.map(({ size }) => size),
    [bwr(40, 20), bwy(40, 20)],
  );
  t.deepEqual(pictures[0] && colorsOf(pictures[0].image, [0, 0], [19, 19], [20, 0], [39, 19]), [
    RED,
    RED,
    BLACK,
    BLACK,
  ]);
  t.not(pictures[0]?.sha256, pictures[1]?.sha256);
});

test("resize 0: an image of a size that no label has is not drawn, and its size is reported", async (t) => {
  const file = await fileOf(halves(40, 20, RED, BLACK));
  t.like(await draw(file, 0, [bwr(41, 20), bwr(20, 40)]), { width: 40, height: 20, pictures: [] });
});

test("resize 1: an image keeps its aspect ratio, centred on white", async (t) => {
  const file = await fileOf(halves(40, 20, RED, BLACK));
  const { pictures } = await draw(file, 1, [bwr(80, 80), bwr(100, 20)]);
  const [tall, wide] = pictures.map(({ image }) => image);
  t.deepEqual(tall && colorsOf(tall, [0, 19], [0, 20], [79, 59], [79, 60]), [WHITE, RED, BLACK, WHITE]);
  t.deepEqual(wide && colorsOf(wide, [29, 0], [30, 0], [69, 19], [70, 19]), [WHITE, RED, BLACK, WHITE]);
});

test("resize 2: an image is stretched to each size", async (t) => {
  const file = await fileOf(halves(40, 20, RED, BLACK));
  const { pictures } = await draw(file, 2, [bwr(10, 90), bwr(300, 9)]);
  for (const { image, size } of pictures) {
    const { width, height } = size;
    t.deepEqual([image.bitmap.width, image.bitmap.height], [width, height]);
    t.deepEqual(colorsOf(image, [0, 0], [width - 1, height - 1]), [RED, BLACK]);
  }
});

test("each pixel takes the label's nearest colour", async (t) => {
  const file = await fileOf(halves(10, 10, 0xee1100ff, 0xf0e010ff));
  const { pictures } = await draw(file, 2, [bwr(10, 10), bwy(10, 10), bw(10, 10)]);
  const colors = pictures.map(({ image }) => colorsOf(image, [0, 0], [9, 9]));
  t.deepEqual(colors[0], [RED, colors[0]?.[1]]);
  t.deepEqual(colors[1]?.[1], YELLOW);
  t.true(colors[2]?.every((color) => color === BLACK || color === WHITE));
});

test("transparent pixels become white, and half-transparent pixels are mixed with white", async (t) => {
  const file = await fileOf(halves(10, 10, 0x00000000, 0x00000020));
  const { pictures } = await draw(file, 0, [bwr(10, 10)]);
  t.deepEqual(pictures[0] && colorsOf(pictures[0].image, [0, 0], [9, 9]), [WHITE, WHITE]);
});

for (const mime of ["image/png", "image/jpeg", "image/bmp", "image/gif"] as const) {
  test(`${mime} is decoded`, async (t) => {
    const file = await fileOf(halves(64, 32, RED, WHITE), mime);
    const { pictures } = await draw(file, 0, [bwr(64, 32)]);
    t.deepEqual(pictures[0] && colorsOf(pictures[0].image, [3, 3], [60, 30]), [RED, WHITE]);
  });
}

test("an animated GIF shows its first frame", async (t) => {
  const frame = (color: number) => {
    const image = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0]);
    return Buffer.concat([image, Buffer.from([2, 2, color === 0 ? 0x44 : 0x4c, 0x01, 0])]);
  };
  const screen = Buffer.from([1, 0, 1, 0, 0x80, 0, 0]);
  const palette = Buffer.from([255, 0, 0, 255, 255, 255]);
  const file = Buffer.concat([Buffer.from("GIF89a"), screen, palette, frame(0), frame(1), Buffer.from([0x3b])]);
  const { pictures } = await draw(file, 0, [bwr(1, 1)]);
  t.deepEqual(pictures[0] && colorsOf(pictures[0].image, [0, 0]), [RED]);
});

test("a JPEG in CMYK colours is shown in the label's colours", async (t) => {
  const [none, full] = [255, 0] as const;
  const colors = { red: cmykJpeg([none, full, full, none]), black: cmykJpeg([none, none, none, full]) };
  for (const [name, wanted] of [["red", RED] as const, ["black", BLACK] as const]) {
    const { pictures } = await draw(colors[name], 0, [bwr(8, 8)]);
    t.deepEqual(pictures[0] && colorsOf(pictures[0].image, [0, 0], [7, 7]), [wanted, wanted], name);
  }
});

test("a photograph is dithered, and a logo uses its nearest colours", async (t) => {
  const shades = new Jimp({ width: 64, height: 64, color: WHITE });
  for (const [x, y] of Array.from({ length: 4096 }, (_, index) => [index % 64, index >> 6] as const))
    shades.setPixelColor(((x * 4 * 0x1010100) >>> 0) + 0xff, x, y);
  const rowsOf = async (file: Buffer) => {
    const [picture] = (await draw(file, 0, [bw(64, 64)])).pictures;
    const columns = Array.from({ length: 64 }, (_, x) => x);
    return [20, 40].map((y) => picture && colorsOf(picture.image, ...columns.map((x): [number, number] => [x, y])));
  };
  const [high, low] = await rowsOf(await shades.getBuffer("image/png"));
  t.notDeepEqual(high, low);
  const [above, below] = await rowsOf(await fileOf(halves(64, 64, 0x808080ff, RED)));
  t.deepEqual(above, below);
});

test("a photograph is turned according to its EXIF orientation", async (t) => {
  const jpeg = await fileOf(halves(64, 32, RED, WHITE), "image/jpeg");
  // Orientation 6: the camera was held upright, so the top of the scene is on the right of the picture.
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0];
  const exif = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), Buffer.from(tiff)]);
  const header = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  const turned = Buffer.concat([jpeg.subarray(0, 2), header, exif, jpeg.subarray(2)]);
  const { width, height, pictures } = await draw(turned, 0, [bwr(32, 64), bwr(64, 32)]);
  t.deepEqual([width, height], [32, 64]);
  t.deepEqual(pictures[0] && colorsOf(pictures[0].image, [16, 5], [16, 60]), [RED, WHITE]);
});

test("a large image is reduced to its sizes without losing its content", async (t) => {
  const file = await fileOf(halves(2000, 1000, RED, BLACK));
  const { pictures } = await draw(file, 1, [bwr(100, 50), bwr(40, 40)]);
  const [exact, square] = pictures.map(({ image }) => image);
  t.deepEqual(exact && colorsOf(exact, [0, 0], [48, 49], [51, 0], [99, 49]), [RED, RED, BLACK, BLACK]);
  t.deepEqual(square && colorsOf(square, [20, 8], [5, 20], [35, 20], [20, 31]), [WHITE, RED, BLACK, WHITE]);
});

test("a small image is enlarged to larger sizes", async (t) => {
  const { pictures } = await draw(await fileOf(halves(2, 1, RED, BLACK)), 1, [bwr(100, 100)]);
  t.deepEqual(pictures[0] && colorsOf(pictures[0].image, [50, 20], [5, 50], [95, 50], [50, 80]), [
    WHITE,
    RED,
    BLACK,
    WHITE,
  ]);
});

test("the decoding process draws the same pictures, one order after another", async (t) => {
  const { drawPages: drawBeside } = createDecoding(patient);
  const orders = await Promise.all(
    [RED, BLACK, YELLOW].map(async (color) => ({
      file: await fileOf(halves(40, 20, color, WHITE)),
      resize: 2 as const,
      sizes: [bwr(10, 10), bwy(20, 10)],
    })),
  );
  const names = ({ pictures }: Awaited<ReturnType<typeof drawPages>>) => pictures.map(({ file }) => file.sha256);
  const beside = await Promise.all(orders.map(drawBeside));
  t.deepEqual(beside.map(names), (await Promise.all(orders.map(drawPages))).map(names));
});

test("an undecodable or slow image is an error and does not affect the next image", async (t) => {
  const good = { file: await fileOf(halves(40, 20, RED, WHITE)), resize: 2 as const, sizes: [bwr(10, 10)] };
  const { drawPages: drawBeside } = createDecoding(patient);
  const failed = drawBeside({ ...good, file: Buffer.from("no image") });
  const next = drawBeside(good);
  await t.throwsAsync(failed);
  t.is((await next).pictures.length, 1);
  const hasty = createDecoding({ ...decodingBounds, timeoutMs: 1 });
  await t.throwsAsync(hasty.drawPages(good), { message: /longer than 0.001 seconds/ });
});
