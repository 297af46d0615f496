/** Adobe's marker: four unconverted channels, in which 255 means no ink. */
const ADOBE = [0xff, 0xee, 0, 14, ...Buffer.from("Adobe"), 0, 100, 0, 0, 0, 0, 0];
const QUANTIZATION = [0xff, 0xdb, 0, 67, 0, ...Array<number>(64).fill(1)];
const channels = [1, 2, 3, 4];
const FRAME = [0xff, 0xc0, 0, 20, 8, 0, 8, 0, 8, 4, ...channels.flatMap((channel) => [channel, 0x11, 0])];
/** Averages of 10 and 11 bits have the codes 01 and 10; a block ends with a single 0. */
const MEANS = [0xff, 0xc4, 0, 22, 0, 0, 3, ...Array<number>(14).fill(0), 0, 10, 11];
const REST = [0xff, 0xc4, 0, 20, 0x10, 1, ...Array<number>(15).fill(0), 0];
const SCAN = [0xff, 0xda, 0, 14, 4, ...channels.flatMap((channel) => [channel, 0]), 0, 63, 0];

type Channel = 0 | 255;

/** A JPEG of 8 x 8 pixels in one printing colour (ITU-T T.81): each channel is 0 (full ink) or 255 (none). */
export function cmykJpeg(color: readonly [cyan: Channel, magenta: Channel, yellow: Channel, black: Channel]): Buffer {
  const bits = color.map((value) => (value === 255 ? `01${(8 * 127).toString(2)}0` : `10${"01111111111"}0`)).join("");
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, "1");
  const bytes = (padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const data = bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte]));
  return Buffer.from([
    0xff,
    0xd8,
    ...ADOBE,
    ...QUANTIZATION,
    ...FRAME,
    ...MEANS,
    ...REST,
    ...SCAN,
    ...data,
    0xff,
    0xd9,
  ]);
}
