import { writeFile } from "node:fs/promises";
import { linearSymbol } from "../../../../drawing/codes/encode-codes.ts";

const [WIDTH, HEIGHT] = [640, 480];
const MODULE = 2;
const BAR_HEIGHT = 160;
const PICTURES_PER_SECOND = 5;
const [WHITE, BLACK, GREY] = [235, 16, 128];

/** Writes a film (YUV4MPEG2) that a browser plays as its camera's: each printed code for a few seconds, then white. */
export async function writeFilm(path: string, codes: readonly (readonly [kind: "code128" | "ean13", code: string])[]) {
  const pictures = codes.flatMap(([kind, code]) => [
    ...Array.from({ length: 3 * PICTURES_PER_SECOND }, () => pictureOf(kind, code)),
    ...Array.from({ length: PICTURES_PER_SECOND }, () => pictureOf()),
  ]);
  const header = `YUV4MPEG2 W${WIDTH} H${HEIGHT} F${PICTURES_PER_SECOND}:1 Ip A1:1 C420\n`;
  await writeFile(path, Buffer.concat([Buffer.from(header), ...pictures.flatMap((picture) => [FRAME, picture])]));
}

const FRAME = Buffer.from("FRAME\n");

/** Returns the brightness of each pixel, followed by two planes without colour at a quarter of the size. */
function pictureOf(kind?: "code128" | "ean13", code = ""): Buffer {
  const picture = Buffer.alloc((WIDTH * HEIGHT * 3) / 2, GREY).fill(WHITE, 0, WIDTH * HEIGHT);
  if (kind === undefined) return picture;
  const { bars, modules } = linearSymbol(kind, code);
  const left = Math.floor((WIDTH - modules * MODULE) / 2);
  const top = (HEIGHT - BAR_HEIGHT) / 2;
  for (let y = top; y < top + BAR_HEIGHT; y += 1)
    for (let bar = 0; bar < bars.length; bar += 2)
      picture.fill(
        BLACK,
        y * WIDTH + left + (bars[bar] ?? 0) * MODULE,
        y * WIDTH + left + (bars[bar + 1] ?? 0) * MODULE,
      );
  return picture;
}
