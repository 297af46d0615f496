import { mkdir, writeFile } from "node:fs/promises";
import test from "ava";
import { enlarge } from "../../../drawing/pixels/enlarge.ts";
import { createFramebuffer, drawRuns } from "../../../drawing/pixels/framebuffer.ts";
import { encodePng } from "../../../drawing/pixels/png.ts";
import { settingOf } from "../../../drawing/shaping/setting.ts";
import { newInk } from "../../../drawing/text/draw-characters.ts";
import type { Face } from "../../../drawing/text/fonts.ts";
import { alike, pixelsOf } from "../text/identity.ts";
import { inkOfText, letters } from "./letters.ts";

const faces: Face[] = ["regular", "bold"];
/** At this size and above, only every LARGE_STEP-th size is tried, because letters of those sizes differ in many pixels. */
const LARGE = 20;
const LARGE_STEP = 4;
const LARGEST = 32;
const folder = new URL("../../../.test/scripts/", import.meta.url);

/**
 * Returns a letter without its joiners: an Arabic letter that joins on only one side looks the same isolated and joined.
 */
const bare = (letter: string): string => letter.replaceAll("\u200d", "");
/** Letters that look alike in the font itself. */
const SAME_SHAPE = new Set(["へヘ"]);

for (const [script, { locale, letters: all }] of Object.entries(letters)) {
  test(`${script}: no two letters look alike at sizes up to ${LARGEST} at which they are drawn`, (t) => {
    for (const face of faces) {
      const smallest = settingOf(face, all.join(""), locale).readable();
      for (let size = smallest; size <= LARGEST; size += size < LARGE ? 1 : LARGE_STEP) {
        const pairs = alike(all.map((letter) => pixelsOf(letter, inkOfText(face, letter, size, locale))))
          .map((pair) => pair.map(({ character }) => bare(character)).toSorted())
          .filter(([one, other]) => one !== other && !SAME_SHAPE.has(`${one}${other}`));
        t.deepEqual(pairs, [], `${face} at ${size} pixels`);
      }
    }
  });
}

/** Text on labels: names, quantities and prices in reading order. */
const samples: Readonly<Record<string, readonly string[]>> = {
  Arabic: ["خبز أبيض طازج 500 غ (كبير)", "عرض: حليب كامل الدسم 6 x 0,5 l", "السعر 12,50 ر.س. KitKat ٥٠٠ غ"],
  Hebrew: ['לחם אחיד פרוס 750 גרם (טרי) ק"ג', "מבצע! 2 ב־10.00 ₪ Coca-Cola 1.5 l", "גבינה צהובה 28% שומן"],
  Devanagari: ["गेहूँ का आटा 5 किग्रा ₹249.00", "ताज़ा दूध 1 लीटर (फुल क्रीम)", "प्रसिद्ध बासमती चावल क्षेत्र"],
  Thai: ["ข้าวหอมมะลิ 5 กก. ฿189.00", "น้ำปลาแท้ กุ้งแช่แข็ง ซื้อที่นี่", "ผู้ใหญ่ ปั๊มน้ำ ขนมปังโฮลวีต"],
  Japanese: ["北海道牛乳 1000ml 税込213円", "カップラーメン（醤油味）", "有機栽培の緑茶 半額 食パン6枚切"],
};
const WIDTH = 420;
const SCALE = 2;

for (const [script, lines] of Object.entries(samples)) {
  test(`${script}: a contact sheet shows names and prices in both weights, from the size at which they are readable`, async (t) => {
    const locale = letters[script]?.locale ?? "";
    const shown = faces.flatMap((face) => {
      const smallest = Math.max(...lines.map((text) => settingOf(face, text, locale).readable()));
      const sizes = [smallest, smallest + 1, smallest + 2, smallest + 4, smallest + 8];
      return sizes.flatMap((size) => lines.map((text) => ({ face, size, text })));
    });
    const height = shown.reduce((sum, { size }) => sum + Math.ceil(size * 1.7), 0);
    const sheet = createFramebuffer(WIDTH, height, ["white", "black"], 0);
    let top = 0;
    for (const { face, size, text } of shown) {
      const [setting, ink] = [settingOf(face, text, locale), newInk()];
      t.deepEqual(setting.warnings(), []);
      const line = { text, size, left: 4, baseline: top + Math.round(size * 1.25) };
      setting.eachStamp(line, (glyph, x, y) => drawRuns(sheet, glyph.runs, x, y, 1, ink));
      t.true(ink.drawn > 0);
      top += Math.ceil(size * 1.7);
    }
    await mkdir(folder, { recursive: true });
    await writeFile(new URL(`${script}.png`, folder), encodePng(enlarge(sheet, SCALE)));
  });
}
