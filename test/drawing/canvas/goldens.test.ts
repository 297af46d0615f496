import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import test from "ava";
import { Jimp } from "jimp";
import { type Framebuffer, rgb } from "../../../drawing/pixels/framebuffer.ts";
import { encodePng } from "../../../drawing/pixels/png.ts";
import type { Color } from "../../../schemas/color.ts";
import { goldenCases } from "./golden-cases/golden-cases.ts";

/**
 * Pictures are compared pixel by pixel. A changed picture is written to `.test/goldens`: the stored picture to `old`,
 * the drawn one to `new`, their difference to `difference`. If the new picture is right, copy it: `cp
 * .test/goldens/new/*.png test/drawing/canvas/goldens/`.
 */
const goldenFolder = new URL("./goldens/", import.meta.url);
const shown = new URL("../../../.test/goldens/", import.meta.url);

test.before("files of an earlier run are removed", async () => {
  await rm(shown, { recursive: true, force: true });
});

for (const { name, draw } of goldenCases) {
  test(`${name} matches its golden picture to the pixel`, async (t) => {
    const picture = draw();
    const png = encodePng(picture);
    const golden = await readFile(new URL(`${name}.png`, goldenFolder)).catch(() => undefined);
    const [is, was] = [await pixelsOf(png), golden && (await pixelsOf(golden))];
    if (was === undefined || !was.data.equals(is.data) || was.width !== is.width)
      await show(name, picture, png, golden);
    t.truthy(golden, `there is no golden picture: look at .test/goldens/new/${name}.png`);
    t.is(is.hash, was?.hash ?? "", `look at .test/goldens/difference/${name}.png`);
  });
}

test("there are more than 40 golden pictures with unique names, and no other files", async (t) => {
  const names = goldenCases.map(({ name }) => name);
  t.true(new Set(names).size > 40);
  t.deepEqual((await readdir(goldenFolder)).toSorted(), names.map((name) => `${name}.png`).toSorted());
});

interface Pixels {
  width: number;
  data: Buffer;
  hash: string;
}

/** The pixels of a PNG, decoded by an independent decoder. */
async function pixelsOf(png: Buffer): Promise<Pixels> {
  const { bitmap } = await Jimp.read(png);
  const data = Buffer.from(bitmap.data);
  const digest = createHash("sha256").update(data).digest("hex");
  return { width: bitmap.width, data, hash: `${bitmap.width}x${bitmap.height} ${digest}` };
}

async function show(name: string, picture: Framebuffer, png: Buffer, golden: Buffer | undefined): Promise<void> {
  const files = { new: png, ...(golden && { old: golden, difference: await differenceOf(picture, golden) }) };
  for (const [folder, file] of Object.entries(files)) {
    await mkdir(new URL(`${folder}/`, shown), { recursive: true });
    await writeFile(new URL(`${folder}/${name}.png`, shown), file);
  }
}

/** Changed pixels in red, unchanged pixels in black and white. */
async function differenceOf(picture: Framebuffer, golden: Buffer): Promise<Buffer> {
  const { bitmap } = await Jimp.read(golden);
  const palette: Color[] = ["white", "black", "red"];
  const pixels = picture.pixels.map((index, at) => {
    const x = at % picture.width;
    const y = (at - x) / picture.width;
    const color = rgb[picture.palette[index] ?? "white"];
    const from = (y * bitmap.width + x) * 4;
    const isSame = x < bitmap.width && color.every((value, channel) => bitmap.data[from + channel] === value);
    return isSame ? (color.every((value) => value === 255) ? 0 : 1) : 2;
  });
  return encodePng({ ...picture, palette, pixels });
}
