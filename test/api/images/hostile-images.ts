import { constants, crc32, deflateRawSync } from "node:zlib";
import type { Asset } from "../../../schemas/asset.ts";
import { pngOf } from "./files.ts";

/** An image that is made to cost far more than it is worth, with its media type. */
export interface HostileImage {
  name: string;
  mediaType: Extract<Asset["mediaType"], `image/${string}`> | "image/gif" | "image/bmp";
  make(): Buffer;
}

const SVG_BYTES = 2 ** 19;
const svg = (inside: string, attributes = 'viewBox="0 0 40 20"'): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`);
const fill = (unit: string, bytes = SVG_BYTES - 400): string => unit.repeat(Math.floor(bytes / unit.length));
const pattern = (side: number, more = ""): string =>
  `<pattern id="p" width="${side}" height="${side}" patternUnits="userSpaceOnUse" ${more}><rect width="1" height="1"/></pattern><rect width="40" height="20" fill="url(#p)"/>`;
const nested = (levels: number, open: string, close: string, inside = "<rect width='40' height='20'/>"): string =>
  open.repeat(levels) + inside + close.repeat(levels);

const svgs: readonly [name: string, make: () => Buffer][] = [
  ["a width of 100,000 digits", () => svg("", `width="${"7".repeat(100_000)}!" height="1"`)],
  ["url( and blanks", () => svg(`<style>${fill(`url(${" ".repeat(60_000)}#)`, 480_000)}</style>`)],
  ["one url( and 500,000 blanks", () => svg(`<style>url(${" ".repeat(500_000)}#</style>`)],
  ["a viewBox of commas", () => svg("", `viewBox="${fill(" ,")}"`)],
  ["an attribute of 500,000 blanks", () => svg("", `viewBox="0 0 40 20" id${" ".repeat(500_000)}`)],
  ["many attributes", () => svg(`<rect ${fill("a='' ")}/>`)],
  ["many tags", () => svg(fill("<g/>"))],
  ["many open tags", () => Buffer.from(fill("<a>"))],
  ["comments that do not end", () => svg(fill("<!--"))],
  ["many comments", () => svg(fill("<!---->"))],
  ["many entities", () => svg(fill("&#9;"))],
  ["ampersands", () => svg(fill("&"))],
  ["many references", () => svg(`<rect style="${fill("url(#a)")}"/>`)],
  ["a pattern of 2200 x 2200", () => svg(pattern(2200), 'viewBox="0 0 100 100"')],
  ["a pattern that is scaled", () => svg(pattern(20, 'patternTransform="scale(1000)"'))],
  ["a pattern of a rectangle that is scaled", () => svg(`<g transform="scale(2000)">${pattern(1)}</g>`)],
  [
    "a pattern that a style sheet names",
    () => svg(`<style>rect{fill:url(#p)}</style>${pattern(2200).replaceAll(' fill="url(#p)"', "")}`),
  ],
  [
    "2,000 floods in a filter",
    () =>
      svg(
        `<filter id="f">${"<feFlood result='a'/>".repeat(2_000)}</filter><rect width="40" height="20" filter="url(#f)"/>`,
      ),
  ],
  [
    "10,000 floods in a filter",
    () => svg(`<filter id="f">${fill("<feFlood/>", 90_000)}</filter><rect width="40" height="20" filter="url(#f)"/>`),
  ],
  ["nested layers", () => svg(nested(60, '<g opacity="0.9">', "</g>"))],
  [
    "markers at 100,000 points",
    () =>
      svg(
        `<marker id="m" markerWidth="9" markerHeight="9">${"<path d='M0 0h1'/>".repeat(2_000)}</marker><path marker-mid="url(#m)" d="M0 0${fill("h1", 200_000)}"/>`,
      ),
  ],
  ["dashes of nothing", () => svg('<path d="M0 0h1e6" stroke="#000" stroke-dasharray="0.00001"/>')],
  ["many dashes", () => svg(fill('<path d="M0 0h40" stroke="#000" stroke-dasharray="0.0001"/>'))],
  ["500,000 letters", () => svg(`<text>${fill("&#9618;")}</text>`)],
  ["500,000 letters with an outline", () => svg(`<text stroke="#000" stroke-width="3">${fill("@")}</text>`)],
  [
    "letters, each with a shadow",
    () => svg(`<text>${fill("<tspan x='1' text-decoration='underline'>@</tspan>")}</text>`),
  ],
  [
    "large turbulence",
    () =>
      svg(
        `<filter id="f"><feTurbulence numOctaves="1000000" baseFrequency="9"/></filter><rect width="40" height="20" filter="url(#f)"/>`,
      ),
  ],
  [
    "a large matrix",
    () =>
      svg(
        `<filter id="f"><feConvolveMatrix order="200" kernelMatrix="${fill("1 ", 80_000)}"/></filter><rect width="40" height="20" filter="url(#f)"/>`,
      ),
  ],
  [
    "rules by rules",
    () => svg(`<style>${fill("a:first-child{fill:red}", 200_000)}</style>${fill("<a/>", 200_000).slice(0, 76_000)}`),
  ],
  [
    "nested masks",
    () =>
      svg(
        `${Array.from(
          { length: 120 },
          (_, at) =>
            `<mask id="m${at}" mask="url(#m${at + 1})"><rect width="40" height="20" fill="#fff" mask="url(#m${at + 1})"/></mask>`,
        ).join("")}<rect width="40" height="20" mask="url(#m0)"/>`,
      ),
  ],
  [
    "nested patterns",
    () =>
      svg(
        `${Array.from(
          { length: 60 },
          (_, at) =>
            `<pattern id="p${at}" width="40" height="40" patternUnits="userSpaceOnUse"><rect width="40" height="20" fill="url(#p${at + 1})"/></pattern>`,
        ).join("")}<rect width="40" height="20" fill="url(#p0)"/>`,
      ),
  ],
];

/** Returns a JPEG without pixel data: its header can declare any size. */
function jpegOf(width: number, height: number, components: number, sampling: number, progressive = false): Buffer {
  const u16 = (value: number) => [value >> 8, value & 255];
  const segment = (marker: number, content: number[]) => [0xff, marker, ...u16(content.length + 2), ...content];
  const ids = Array.from({ length: components }, (_, index) => index + 1);
  const table = (kind: number) => segment(0xc4, [kind, 1, ...Array<number>(15).fill(0), 0]);
  return Buffer.from([
    0xff,
    0xd8,
    ...segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    ...segment(progressive ? 0xc2 : 0xc0, [
      8,
      ...u16(height),
      ...u16(width),
      components,
      ...ids.flatMap((id) => [id, id === 1 ? sampling : 0x11, 0]),
    ]),
    ...table(0),
    ...table(0x10),
    ...segment(0xda, [
      Math.min(components, 4),
      ...ids.slice(0, 4).flatMap((id) => [id, 0]),
      0,
      progressive ? 0 : 63,
      0,
    ]),
    0,
    0,
    0xff,
    0xd9,
  ]);
}

function gifOfFrames(width: number, height: number, frames: number): Buffer {
  const u16 = (value: number) => [value & 255, value >> 8];
  const frame = [0x2c, 0, 0, 0, 0, ...u16(width), ...u16(height), 0, 2, 2, 0x44, 0x01, 0];
  return Buffer.concat([
    Buffer.from("GIF89a"),
    Buffer.from([...u16(width), ...u16(height), 0x80, 0, 0, 255, 0, 0, 255, 255, 255]),
    ...Array<Buffer>(frames).fill(Buffer.from(frame)),
    Buffer.from([0x3b]),
  ]);
}

/** Returns a BMP with one bit per pixel, or packed with RLE8. */
function bmpOf(width: number, height: number, depth: number, compression: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(54 + 4 * 2 ** Math.min(depth, 8));
  head.write("BM");
  head.writeUInt32LE(head.length + bytes.length, 2);
  head.writeUInt32LE(head.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(depth, 28);
  head.writeUInt32LE(compression, 30);
  return Buffer.concat([head, bytes]);
}

const chunk = (type: string, content: Buffer): Buffer => {
  const bytes = Buffer.alloc(content.length + 12);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(content, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, content.length + 8)), content.length + 8);
  return bytes;
};
/**
 * Returns this many megabytes of zeros in zlib's format. One compressed block is repeated: deflating all megabytes would block
 * the thread for seconds, and later calls would reuse connections that were closed meanwhile.
 */
function zipped(megabytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(2 ** 20), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const checksum = Buffer.alloc(4);
  // Adler-32 of zeros: the first sum stays 1, and the second counts the zeros.
  checksum.writeUInt32BE((((megabytes * 2 ** 20) % 65_521) * 2 ** 16 + 1) >>> 0);
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...Array(megabytes).fill(block), Buffer.from([3, 0]), checksum]);
}
const side = (max: number) => max;
const rasters = (max: number): readonly [name: string, mediaType: HostileImage["mediaType"], make: () => Buffer][] => [
  [
    "16-bit pixels",
    "image/png",
    () => pngOf(max, max, { depth: 16, colorType: 6, pixels: new Uint8Array(max * (8 * max + 1)) }),
  ],
  ["16-bit interlaced pixels", "image/png", () => interlaced(max)],
  [
    "packed notes",
    "image/png",
    () =>
      pngOf(max, max, {
        more: [
          chunk("iCCP", Buffer.concat([Buffer.from("a\0\0"), zipped(512)])),
          chunk("zTXt", Buffer.concat([Buffer.from("a\0\0"), zipped(512)])),
        ],
      }),
  ],
  ["a plain JPEG", "image/jpeg", () => jpegOf(max, max, 3, 0x11)],
  ["a progressive JPEG of four inks", "image/jpeg", () => jpegOf(max, max, 4, 0x11, true)],
  ["a JPEG of 255 components", "image/jpeg", () => jpegOf(max, max, 255, 0x11)],
  ["a JPEG sampled 15 x 15", "image/jpeg", () => jpegOf(max, max, 3, 0xff)],
  ["a JPEG sampled 0 x 0", "image/jpeg", () => jpegOf(max, max, 3, 0x00)],
  ["500,000 frames", "image/gif", () => gifOfFrames(max, max, 500_000)],
  ["one bit per pixel", "image/bmp", () => bmpOf(max, max, 1, 0, Buffer.alloc((max / 8) * max))],
  ["RLE", "image/bmp", () => bmpOf(max, max, 8, 1, Buffer.from([255, 0, 0, 1]))],
];

function interlaced(max: number): Buffer {
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const;
  const bytes = passes.reduce(
    (sum, [x, y, dx, dy]) => sum + Math.ceil((max - y) / dy) * (1 + 8 * Math.ceil((max - x) / dx)),
    0,
  );
  return pngOf(max, max, { depth: 16, colorType: 6, interlace: 1, pixels: new Uint8Array(bytes) });
}

export const hostileSvgs: readonly HostileImage[] = svgs.map(([name, make]) => ({
  name,
  mediaType: "image/svg+xml",
  make,
}));
export const hostileRasters = (max: number): readonly HostileImage[] =>
  rasters(side(max)).map(([name, mediaType, make]) => ({ name, mediaType, make }));
