import type { TextElement } from "../../../../schemas/canvas-texts.ts";
import { drawElements } from "../../drawing.ts";
import { type GoldenCase, price, text } from "./elements.ts";

/** A label in one script: a name on several lines, a quantity, and a price with its currency sign. */
const scriptCase = (
  name: string,
  store: { locale: string; currency: string },
  [title, note]: readonly [title: string, note: string],
  more: Partial<TextElement> = {},
): GoldenCase => ({
  name: `script-${name}`,
  draw: () =>
    drawElements(
      [
        text({ x: 4, y: 4, width: 288, height: 56, size: 24, lines: 2, text: title, ...more }),
        text({ x: 4, y: 66, width: 140, height: 56, size: 18, lines: 2, text: note, font: "regular", ...more }),
        price({ x: 150, y: 66, width: 142, height: 56, align: "right", value: "12.5", size: 48 }),
      ],
      { width: 296, height: 128, store },
    ).picture,
});

/** Labels in scripts that need shaping. */
export const scriptCases: readonly GoldenCase[] = [
  scriptCase(
    "arabic",
    { locale: "ar-SA", currency: "SAR" },
    ["خبز أبيض طازج (كبير) KitKat 6 x 0,5 l", "500 غ السعر 12,50"],
    { align: "right" },
  ),
  scriptCase("hebrew", { locale: "he-IL", currency: "ILS" }, ["לחם אחיד פרוס (טרי) Coca-Cola 1.5 l", '28% שומן ק"ג'], {
    align: "right",
  }),
  scriptCase("devanagari", { locale: "hi-IN", currency: "INR" }, ["गेहूँ का आटा प्रसिद्ध क्षेत्र (फुल क्रीम)", "5 किग्रा ₹249"]),
  scriptCase("thai", { locale: "th-TH", currency: "THB" }, ["ข้าวหอมมะลิอินทรีย์น้ำปลาแท้กุ้งแช่แข็ง", "5 กก. ซื้อที่นี่"]),
  scriptCase("japanese", { locale: "ja-JP", currency: "EUR" }, [
    "北海道産有機栽培の緑茶とカップラーメン（醤油味）",
    "牛乳500ml、税込213円",
  ]),
];
