import test from "ava";
import fc from "fast-check";
import { checkImage } from "../../../api/images/check-image.ts";
import { ImageFault } from "../../../api/images/image-fault.ts";
import { frameOf, gifOf, images, patched, pngChunk, pngOf } from "./files.ts";

const faultOf = async (file: Buffer): Promise<string | undefined> =>
  checkImage(file).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ImageFault) return error.message;
      throw error;
    },
  );

for (const [format, make] of Object.entries(images)) {
  test(`a ${format} of one pixel and a ${format} of odd size are accepted`, async (t) => {
    t.is(await faultOf(await make(1, 1)), undefined);
    t.is(await faultOf(await make(297, 129)), undefined);
  });

  test(`a ${format} that is truncated anywhere is refused`, async (t) => {
    const file = await make(40, 30);
    // A BMP ends with bytes that belong to no pixel.
    const needed = format === "BMP" ? file.readUInt32LE(10) + 40 * 30 * 3 : file.length;
    for (let length = 0; length < needed; length += Math.max(1, Math.floor(needed / 200)))
      t.truthy(await faultOf(file.subarray(0, length)), `${length} of ${file.length} bytes`);
    t.truthy(await faultOf(file.subarray(0, needed - 1)));
  });

  test(`a ${format} with corrupt bytes is accepted or refused, and never causes another error`, async (t) => {
    const file = await make(20, 10);
    await fc.assert(
      fc.asyncProperty(fc.nat(file.length - 1), fc.uint8Array({ minLength: 1, maxLength: 4 }), async (at, bytes) => {
        const fault = await faultOf(patched(Buffer.concat([file, Buffer.alloc(4)]), at, [...bytes]));
        t.true(fault === undefined || fault.length > 0);
      }),
      { numRuns: 300 },
    );
  });
}

const strangers: Record<string, Buffer> = {
  "an empty file": Buffer.alloc(0),
  text: Buffer.from("PNG"),
  "an SVG": Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'),
  "a WebP": Buffer.from("RIFF\u0000\u0000\u0000\u0000WEBPVP8 ", "latin1"),
  "a TIFF": Buffer.from("II*\u0000\u0008\u0000\u0000\u0000", "latin1"),
  "a PDF": Buffer.from("%PDF-1.7"),
};
for (const [what, file] of Object.entries(strangers)) {
  test(`${what} is not an image, whatever its name`, async (t) => {
    t.is(await faultOf(file), "is not a PNG, JPEG, BMP or GIF image");
  });
}

test("an image of 4096 x 4096 pixels is accepted, and a larger one is refused because of its header, without decoding", async (t) => {
  t.is(await faultOf(pngOf(4096, 4096, { depth: 1, pixels: new Uint8Array(4096 * 513) })), undefined);
  t.regex((await faultOf(pngOf(4097, 1))) ?? "", /4097 x 1 pixels, more than the maximum of 4096 x 4096/);
  t.regex((await faultOf(pngOf(1, 4097))) ?? "", /1 x 4097/);
  t.regex((await faultOf(pngOf(2 ** 31 - 1, 2 ** 31 - 1, { pixels: new Uint8Array(1) }))) ?? "", /maximum of/);
  t.regex((await faultOf(gifOf(4097, 1))) ?? "", /4097 x 1/);
  const jpeg = await images.JPEG(10, 10);
  t.regex((await faultOf(patched(jpeg, frameOf(jpeg) + 5, [0xff, 0xff]))) ?? "", /10 x 65535/);
  const bmp = await images.BMP(10, 10);
  t.regex((await faultOf(patched(bmp, 18, [0x01, 0x10]))) ?? "", /4097 x 10/);
});

test("an image with no pixels is refused", async (t) => {
  for (const file of [pngOf(0, 5), pngOf(5, 0), gifOf(0, 1)]) t.regex((await faultOf(file)) ?? "", /has no pixels/);
});

test("a small PNG that decompresses to gigabytes is refused cheaply", async (t) => {
  // 64 MiB of zeros compress to 64 KiB. Decompression stops at the header's size, which is a ten-thousandth of 64 MiB.
  const bomb = new Uint8Array(2 ** 26);
  const before = process.memoryUsage().arrayBuffers;
  for (const interlace of [0, 1]) {
    const file = pngOf(64, 64, { interlace, pixels: bomb });
    t.true(file.length < 2 ** 17);
    t.is(await faultOf(file), "contains more pixels than its header declares");
  }
  t.true(process.memoryUsage().arrayBuffers - before < 2 ** 24);
});

test("a PNG with fewer pixels than its header says is truncated", async (t) => {
  t.is(await faultOf(pngOf(64, 64, { pixels: new Uint8Array(64 * 65 - 1) })), "is truncated");
});

const kinds: [name: string, options: Parameters<typeof pngOf>[2], width: number, bytes: number][] = [
  ["1-bit grey", { depth: 1 }, 9, 3 * (1 + 2)],
  ["16-bit grey", { depth: 16 }, 9, 3 * (1 + 18)],
  ["8-bit colour", { colorType: 2 }, 9, 3 * (1 + 27)],
  ["4-bit palette", { colorType: 3, depth: 4 }, 9, 3 * (1 + 5)],
  ["8-bit grey with alpha", { colorType: 4 }, 9, 3 * (1 + 18)],
  ["16-bit colour with alpha", { colorType: 6, depth: 16 }, 9, 3 * (1 + 72)],
  ["interlaced 8-bit grey", { interlace: 1 }, 9, 3 + 2 + 3 + 6 + 10 + 10],
];
for (const [name, options, width, bytes] of kinds) {
  test(`a PNG of ${name} contains exactly the pixels of its header`, async (t) => {
    t.is(await faultOf(pngOf(width, 3, { ...options, pixels: new Uint8Array(bytes) })), undefined);
    t.is(await faultOf(pngOf(width, 3, { ...options, pixels: new Uint8Array(bytes - 1) })), "is truncated");
    t.regex((await faultOf(pngOf(width, 3, { ...options, pixels: new Uint8Array(bytes + 1) }))) ?? "", /more pixels/);
  });
}

test("a PNG of an unknown colour type is refused", async (t) => {
  for (const options of [{ depth: 3 }, { colorType: 1 }, { colorType: 2, depth: 4 }, { interlace: 2 }])
    t.is(await faultOf(pngOf(4, 4, options)), "is a PNG with an invalid colour type or bit depth");
});

test("an animated PNG is refused, and other chunks are ignored", async (t) => {
  t.regex((await faultOf(pngOf(4, 4, { more: [pngChunk("acTL", Buffer.alloc(8))] }))) ?? "", /animated/);
  t.is(await faultOf(pngOf(4, 4, { more: [pngChunk("zTXt", Buffer.alloc(100))] })), undefined);
});

test("a PNG with damaged bytes is refused", async (t) => {
  const file = await images.PNG(40, 30);
  t.is(await faultOf(patched(file, 45, [(file[45] ?? 0) ^ 1])), "is damaged");
});

test("a GIF whose frame is larger than its screen is refused, since decoders trust the frame", async (t) => {
  t.is(await faultOf(gifOf(1, 1)), undefined);
  t.regex((await faultOf(gifOf(10, 10, [65_535, 65_535]))) ?? "", /larger than its header allows/);
});

test("a JPEG with a second frame, with an unsupported frame, or with very many scans is refused", async (t) => {
  const jpeg = await images.JPEG(10, 10);
  const at = frameOf(jpeg);
  const frame = jpeg.subarray(at, at + 2 + jpeg.readUInt16BE(at + 2));
  t.regex((await faultOf(Buffer.concat([jpeg.subarray(0, at), frame, jpeg.subarray(at)]))) ?? "", /two frames/);
  t.regex((await faultOf(patched(jpeg, at + 1, [0xc9]))) ?? "", /unsupported kind/);
  const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  const header = jpeg.subarray(scan, scan + 2 + jpeg.readUInt16BE(scan + 2));
  const scans = Array.from({ length: 41 }, () => Buffer.concat([header, Buffer.from([0])]));
  t.regex((await faultOf(Buffer.concat([jpeg.subarray(0, scan), ...scans, jpeg.subarray(scan)]))) ?? "", /40 scans/);
});

test("a JPEG may have bytes after its end and fill bytes between its segments", async (t) => {
  const jpeg = await images.JPEG(10, 10);
  t.is(await faultOf(Buffer.concat([jpeg, Buffer.from("trailer")])), undefined);
  t.is(await faultOf(Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xff]), jpeg.subarray(2)])), undefined);
});

test("a BMP of an unknown kind or with missing pixels is refused", async (t) => {
  const bmp = await images.BMP(10, 10);
  t.is(await faultOf(patched(bmp, 22, [200])), "is truncated");
  t.regex((await faultOf(patched(bmp, 14, [13]))) ?? "", /unsupported kind/);
  t.regex((await faultOf(patched(bmp, 28, [7]))) ?? "", /unsupported kind/);
  t.regex((await faultOf(patched(bmp, 46, [0xff, 0xff, 0xff, 0xff]))) ?? "", /palette/);
});
