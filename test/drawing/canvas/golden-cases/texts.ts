import type { Element } from "../../../../schemas/canvas.ts";
import { frame, NAME, price, text } from "./elements.ts";

const aligns = ["left", "center", "right"] as const;
const verticalAligns = ["top", "middle", "bottom"] as const;
const fonts = ["regular", "bold", "condensed", "condensed-bold"] as const;

/** The tops of lines whose letters grow from line to line. */
const ROWS = [0, 14, 29, 45, 63, 83, 105];

/** Text elements: aligned, fitted, in each typeface and alphabet. */
export const texts: Record<string, Element[]> = {
  "text-aligned": aligns.flatMap((align, column) =>
    verticalAligns.flatMap((verticalAlign, row) => {
      const area = { x: 2 + column * 98, y: 2 + row * 42, width: 96, height: 40 };
      return [frame(area.x, area.y, 96, 40), text({ ...area, align, verticalAlign, text: "Čaj 5 g" })];
    }),
  ),
  "text-fitted": [
    frame(2, 2, 140, 40),
    text({ x: 2, y: 2, width: 140, height: 40, size: 30, minimumSize: 8, lines: 3, text: NAME }),
    frame(150, 2, 140, 40),
    text({ x: 150, y: 2, width: 140, height: 40, size: 30, minimumSize: 16, lines: 2, text: NAME }),
    frame(2, 46, 140, 40),
    text({ x: 2, y: 46, width: 140, height: 40, size: 30, minimumSize: 16, text: "Krušnapećdomaća" }),
    frame(150, 46, 140, 78),
    text({ x: 150, y: 46, width: 140, height: 78, size: 18, minimumSize: 12, lines: 4, lineHeight: 150, text: NAME }),
    frame(2, 90, 140, 34),
    text({ x: 2, y: 90, width: 140, height: 34, size: 14, minimumSize: 14, lines: 2, text: `${NAME} 12.345,67` }),
  ],
  "text-faces": fonts.flatMap((font, row) => [
    text({ y: 2 + row * 32, width: 200, font, size: 17, height: 24, text: "Šunka 0123456789 €" }),
    text({ x: 206, y: 4 + row * 32, width: 90, height: 11, font, size: 9, text: "8,30 € 5963" }),
    text({ x: 206, y: 16 + row * 32, width: 90, height: 13, font, size: 11, text: "8,30 € 5963" }),
  ]),
  "text-narrow": [10, 11, 12, 14, 16, 18, 20].map((size, row) =>
    text({ y: 1 + (ROWS[row] ?? 0), font: "narrow", size, height: size + 5, text: `${NAME} 0O8B 12,89 €` }),
  ),
  "text-latin": [
    text({ y: 2, text: "ÀÁÂÃÄÅÆÇÈÉÊËÐÑÒÓÔÕÖØÞß" }),
    text({ y: 26, font: "condensed", text: "ĂĄĆĈĐĒĘĞĢĦĨĶĹŁŃŇŐŒŔŘŚŞŢŤŨŰŲŴŶŹŽ" }),
    text({ y: 50, font: "condensed", text: "ƀƉƏƑƓƖƘƠƢƧƬƱƳƷǄǍǞǦǨǭǴǺȀȘȚȦȲɃɆɌɎ" }),
    text({ y: 74, font: "condensed", text: "ḀḂḊḞḠḢḰḾṀṄṔṘṠṪṼẀẄẌẎẐẠẤẦỂỄỘỚỨỲỸ" }),
    text({ y: 98, font: "bold", text: "Trà sữa đặc biệt 500 ml" }),
  ],
  "text-greek-cyrillic": [
    text({ y: 2, text: "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ" }),
    text({ y: 26, font: "bold", text: "Ελληνικό γιαούρτι ἀρχή ᾧ" }),
    text({ y: 50, font: "condensed", text: "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ" }),
    text({ y: 74, font: "bold", text: "Џем од јагода ЂЋЉЊ ґїє" }),
    text({ y: 98, font: "condensed-bold", text: "Сок яблочный 1,5 л ӘҒҚҢӨҰҺ Ԥԧ" }),
  ],
  "text-currencies": fonts.map((font, row) =>
    text({ y: 2 + row * 31, font, size: 13, height: 30, lines: 2, text: "$¢£¤¥ ₠₡₢₣₤₥₦₧₨₩₪₫€₭₮₯₰₱₲₳₴₵₶₷₸₹₺₻₼₽₾₿⃀" }),
  ),
  "text-broken": [
    frame(2, 2, 94, 58),
    text({
      x: 2,
      y: 2,
      width: 94,
      height: 58,
      size: 18,
      lines: 3,
      hyphenate: true,
      locale: "de-DE",
      text: "Waschmittelkonzentrat Color 1,5 kg",
    }),
    frame(100, 2, 94, 58),
    text({ x: 100, y: 2, width: 94, height: 58, size: 18, lines: 3, text: "Coca-Cola/Fanta Zero 6 x 0,5 l" }),
    frame(198, 2, 94, 58),
    text({ x: 198, y: 2, width: 94, height: 58, size: 18, lines: 3, text: "Zahn\u00adpasta ohne\u200bFluorid 75 ml" }),
    frame(2, 66, 94, 30),
    text({
      x: 2,
      y: 66,
      width: 94,
      height: 30,
      size: 12,
      minimumSize: 12,
      lines: 2,
      ellipsis: "middle",
      text: "Domaći kruh iz krušne peći s köminom 500 g",
    }),
    frame(100, 66, 94, 30),
    text({
      x: 100,
      y: 66,
      width: 94,
      height: 30,
      size: 12,
      minimumSize: 12,
      lines: 2,
      ellipsis: "word",
      text: "Domaći kruh iz krušne peći s köminom 500 g",
    }),
    frame(198, 66, 94, 30),
    text({
      x: 198,
      y: 66,
      width: 94,
      height: 30,
      size: 12,
      lines: 2,
      balance: true,
      align: "center",
      text: "Mlijeko trajno 2,8 % mm",
    }),
    text({ x: 2, y: 98, width: 140, height: 18, size: 14, letterSpacing: 30, font: "bold", text: "AKCIJA" }),
    frame(146, 98, 146, 20),
    text({ x: 146, y: 98, width: 80, height: 20, size: 20, verticalAlign: "baseline", text: "jučer" }),
    text({ x: 206, y: 98, width: 40, height: 20, size: 11, verticalAlign: "baseline", text: "jučer" }),
    price({ x: 240, y: 98, width: 50, height: 20, size: 16, verticalAlign: "baseline", value: "1.5" }),
  ],
  "text-struck": [
    text({ y: 2, size: 24, height: 30, text: "statt 12,49 €", struck: true }),
    text({ y: 36, size: 14, height: 40, lines: 2, text: "Stari naziv u\ndva retka", struck: true, struckColor: "red" }),
    text({ y: 80, size: 24, height: 30, font: "bold", text: "19,99 €", struck: "diagonal", struckColor: "red" }),
    text({ x: 150, y: 84, width: 140, size: 12, text: "na upit", struck: "diagonal" }),
  ],
  "text-runs": [
    text({
      ...{ x: 4, y: 2, width: 288, height: 22, size: 16, font: "regular", text: "Kava " },
      runs: [{ text: "Franck", bold: true }, { text: " mljevena, " }, { text: "250 g", bold: true, color: "red" }],
    }),
    text({
      ...{ x: 4, y: 28, width: 180, height: 44, size: 16, lines: 2, font: "regular", text: "Osnovna cijena: " },
      runs: [{ text: "12,00", bold: true, size: 22 }, { text: " €/kg, najniža u 30 dana 9,99 €" }],
    }),
    text({
      ...{ x: 4, y: 78, width: 140, height: 40, size: 14, minimumSize: 14, lines: 2, font: "regular" },
      ...{ text: "Trajno mlijeko ", runs: [{ text: "bez laktoze Dukat", bold: true }, { text: " 2,8 % m.m. 1 l" }] },
    }),
    text({
      ...{ x: 190, y: 28, width: 104, height: 90, size: 15, lines: 3, align: "center", font: "regular", text: "Uz " },
      runs: [
        { text: "2", bold: true, size: 30, color: "red" },
        { text: " komada još " },
        { text: "-20 %", bold: true, size: 18, color: "red" },
      ],
      box: { stroke: "black" },
    }),
  ],
  "text-missing": [
    text({ y: 6, size: 28, height: 36, text: "Tee ቡ 1,99 €" }),
    text({ y: 50, size: 28, height: 36, font: "bold", text: "ቡናቡና ቡቡ \u{1f95a}" }),
    text({ y: 96, size: 12, height: 18, text: "klein ቡ klein \u{10fffd}" }),
  ],
};
