import { randomInt } from "node:crypto";
import { compileCanvas } from "../../../../drawing/canvas/compile-canvas.ts";
import { draw } from "../../../../drawing/canvas/draw.ts";
import { encodePng } from "../../../../drawing/pixels/png.ts";
import type { CanvasDesign } from "../../../../schemas/canvas.ts";
import { median, printRow } from "../report.ts";

/** Words for names on labels, in Latin and in shaped scripts. */
const latin = "mlijeko kruh bijeli domaći sir gouda jogurt voćni sok naranča riža dugo zrno kava mljevena".split(" ");
const scripts: Readonly<Record<string, readonly string[]>> = {
  "ar-SA": "خبز أبيض طازج حليب كامل الدسم جبن عصير برتقال أرز بسمتي قهوة مطحونة شاي".split(" "),
  "he-IL": "לחם אחיד פרוס חלב טרי גבינה צהובה יוגורט פירות מיץ תפוזים אורז קפה טחון".split(" "),
  "hi-IN": "गेहूँ आटा ताज़ा दूध बासमती चावल चाय पत्ती शक्कर तेल सरसों मसाला प्रसिद्ध".split(" "),
  "th-TH": "ข้าวหอม น้ำปลา กุ้ง แช่แข็ง นมสด ขนมปัง กาแฟ น้ำส้ม ไข่ไก่ น้ำตาล".split(" "),
  "ja-JP": "北海道 牛乳 有機 緑茶 食パン 醤油 味噌 豆腐 鶏肉 卵 果物 米".split(" "),
};
const WORDS = 5;
const LABELS = 400;
const ROUNDS = 5;

const design: CanvasDesign = {
  ...{ name: "bench", width: 296, height: 128, background: "white" },
  elements: [
    {
      ...{ kind: "text", x: 4, y: 4, width: 288, height: 60, font: "bold", size: 24, lines: 2, color: "black" },
      text: "${item.itemName}",
    },
    {
      kind: "text",
      x: 4,
      y: 70,
      width: 140,
      height: 24,
      font: "regular",
      size: 18,
      color: "black",
      text: "${item.note}",
    },
    {
      kind: "price",
      x: 150,
      y: 66,
      width: 142,
      height: 56,
      font: "bold",
      size: 48,
      color: "black",
      value: "${item.price}",
    },
  ],
};

/**
 * Measures pictures per second of one core for labels in five shaped scripts, against the same labels in Latin. Every name is
 * different but consists of recurring words, as in a shop.
 */
export async function benchScripts(): Promise<void> {
  const canvas = compileCanvas(design);
  const labelType = { type: 1, width: 296, height: 128, colors: ["white" as const, "black" as const] };
  const drawLabel = (locale: string, words: readonly string[]): void => {
    const named = (count: number) => Array.from({ length: count }, () => words[randomInt(words.length)]).join(" ");
    const item = { itemName: named(WORDS), note: named(1), price: (randomInt(9999) / 100).toFixed(2) };
    const store = { locale, currency: "EUR" };
    const variables = { item, link: {}, device: {}, store: { ...store, timeZone: "UTC" } };
    encodePng(draw(canvas, { labelType, variables, store, images: new Map() }).picture);
  };
  const rateOf = (locale: string, words: readonly string[]): number => {
    const before = process.cpuUsage();
    for (let label = 0; label < LABELS; label += 1) drawLabel(locale, words);
    const { user, system } = process.cpuUsage(before);
    return (LABELS * 1e6) / (user + system);
  };
  for (const [locale, words] of Object.entries(scripts)) {
    const [shaped, plain]: [number[], number[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const [ours, beside] = [rateOf(locale, words), rateOf("hr-HR", latin)];
      // The first round draws each letter for the first time.
      if (round === 0) continue;
      shaped.push(ours);
      plain.push(beside);
    }
    printRow({
      ...{ what: `rendering 296 x 128 in ${locale}, one core`, against: "the same label in Latin", unit: "pictures" },
      ...{ rate: median(shaped), baseline: median(plain), minRatio: 0.4 },
    });
  }
}
