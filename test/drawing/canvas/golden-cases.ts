import type { Framebuffer } from "../../../drawing/pixels/framebuffer.ts";
import type { Bitmap } from "../../../drawing/pixels/map-image.ts";
import type { Element, LayoutElement } from "../../../schemas/canvas.ts";
import type { PriceElement, TextElement } from "../../../schemas/canvas-texts.ts";
import type { Color } from "../../../schemas/color.ts";
import { labelTypes } from "../../../scripts/demo/catalogue.ts";
import { chooseDemoDesign, drawDemo } from "../../../scripts/demo/draw.ts";
import { items } from "../../scripts/demo/items.ts";
import { drawElements } from "../drawing.ts";

/** A golden picture: it must not change before a developer has seen the difference. */
export interface GoldenCase {
  name: string;
  draw(): Framebuffer;
}

const BWR: Color[] = ["white", "black", "red"];
const byLength = items.toSorted((one, other) => (other.itemName?.length ?? 0) - (one.itemName?.length ?? 0));
const isOffer = (item: (typeof items)[number]): boolean =>
  item.properties.some(({ key, value }) => key === "priceKind" && value === "special");

/** Every label type with a regular price, an offer and no price; long names and short ones. */
const products: GoldenCase[] = labelTypes.flatMap((labelType, index) => {
  const regular = byLength.filter((item) => !isOffer(item)).at(index % 2 === 0 ? index : -1 - index);
  const special = byLength.filter(isOffer).at(index % 2 === 0 ? -1 - index : index);
  if (regular === undefined || special === undefined) throw new Error("the sample has products of both kinds");
  const { price: _, ...unpriced } = regular;
  return Object.entries({ regular, special, "no-price": unpriced }).map(([occasion, item]) => ({
    name: `label-${labelType.type}-${occasion}`,
    draw: () => drawDemo(item, labelType, chooseDemoDesign(item, labelType.type)),
  }));
});

const text = (more: Partial<TextElement>): Element => ({
  kind: "text",
  x: 0,
  y: 0,
  width: 296,
  height: 20,
  font: "regular",
  size: 16,
  text: "",
  color: "black",
  ...more,
});
const price = (more: Partial<PriceElement>): Element => ({
  kind: "price",
  x: 0,
  y: 0,
  width: 296,
  height: 60,
  font: "bold",
  size: 48,
  value: "12.49",
  color: "black",
  ...more,
});
const frame = (x: number, y: number, width: number, height: number): Element => ({
  kind: "box",
  x,
  y,
  width,
  height,
  stroke: "red",
});

const NAME = "Domaći kruh iz krušne peći, s köminom 1,5 kg";
const aligns = ["left", "center", "right"] as const;
const verticalAligns = ["top", "middle", "bottom"] as const;
const fonts = ["regular", "bold", "condensed", "condensed-bold"] as const;

const texts: Record<string, Element[]> = {
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

const prices: Record<string, Element[]> = {
  "price-sizes": [20, 35, 50, 65, 80, 100].map((decimalsPercent, index) =>
    price({ x: (index % 3) * 99, y: Math.floor(index / 3) * 64, width: 97, height: 60, decimalsPercent }),
  ),
  "price-currencies": [
    price({ width: 146 }),
    price({ x: 148, width: 146, currency: "code", currencyPercent: 30 }),
    price({ y: 64, width: 146, currency: "none" }),
    price({ x: 148, y: 64, width: 146, value: "-1234.5", decimalsPercent: 40 }),
  ],
  "price-struck": [
    price({ width: 140, size: 30, struck: true, value: "19.99" }),
    price({ x: 146, width: 150, color: ["red", "black"], value: "12.49" }),
    price({ y: 64, width: 296, value: "na upit" }),
  ],
  "price-struck-ways": (["middle", "diagonal"] as const).flatMap((struck, column) => [
    price({ x: column * 148, width: 144, height: 40, size: 32, struck }),
    price({ x: column * 148, y: 44, width: 144, height: 30, size: 20, struck, decimalsPercent: 100 }),
    price({ x: column * 148, y: 78, width: 144, height: 30, size: 24, struck, struckColor: "red", font: "regular" }),
  ]),
  "price-zeros": [
    price({ width: 98, height: 40, size: 32, value: "12", zeroDecimals: "dash" }),
    price({ x: 99, width: 98, height: 40, size: 32, value: "12", zeroDecimals: "hide" }),
    price({ x: 198, width: 98, height: 40, size: 32, value: "12.5", zeroDecimals: "hide", decimals: 1 }),
    price({
      y: 44,
      width: 140,
      height: 40,
      size: 32,
      value: "12",
      zeroDecimals: "dash",
      locale: "de-CH",
      currencyCode: "CHF",
    }),
    price({ x: 150, y: 44, width: 140, height: 40, size: 32, separator: "none" }),
    price({ y: 88, width: 140, height: 40, size: 32, currencyPosition: "before" }),
    price({ x: 150, y: 88, width: 140, height: 40, size: 32, separator: ".", currency: "none" }),
  ],
  "price-second-currency": [
    price({
      width: 140,
      height: 62,
      locale: "bg-BG",
      decimalsPercent: 45,
      second: { currencyCode: "BGN", rate: "1.95583" },
    }),
    price({
      x: 150,
      width: 144,
      height: 62,
      align: "right",
      locale: "bg-BG",
      value: "1234.5",
      decimalsPercent: 45,
      second: { currencyCode: "BGN", rate: "1.95583" },
    }),
    price({
      y: 66,
      height: 60,
      locale: "bg-BG",
      second: { currencyCode: "BGN", rate: "1.95583", position: "beside", percent: 60 },
    }),
  ],
  "price-thousands": [
    price({ width: 146, height: 40, size: 32, value: "1234567.5", locale: "fr-FR" }),
    price({ x: 150, width: 146, height: 40, size: 32, value: "12345.5", locale: "pl-PL", currencyCode: "PLN" }),
    price({
      y: 44,
      width: 146,
      height: 40,
      size: 32,
      value: "12345",
      locale: "cs-CZ",
      currencyCode: "CZK",
      decimals: 0,
    }),
    price({
      x: 150,
      y: 44,
      width: 146,
      height: 40,
      size: 32,
      value: "12990",
      locale: "hu-HU",
      currencyCode: "HUF",
      decimals: 0,
    }),
    price({ y: 88, width: 146, height: 40, size: 32, value: "1234.5", locale: "de-CH", currencyCode: "CHF" }),
  ],
};

const shapes: Record<string, Element[]> = {
  "shape-boxes": [0, 4, 12, 40].flatMap((radius, index): Element[] => [
    { kind: "box", x: 4 + index * 72, y: 4, width: 66, height: 56, fill: "red", radius },
    { kind: "box", x: 4 + index * 72, y: 66, width: 66, height: 56, stroke: "black", thickness: 1 + 2 * index, radius },
  ]),
  "shape-lines": [1, 2, 3, 5, 8].flatMap((thickness, index): Element[] => [
    { kind: "line", x: 10, y: 10 + index * 24, width: 120, height: 1, thickness, color: "black" },
    { kind: "line", x: 150 + index * 12, y: 10, width: 80, height: 108, thickness, color: index % 2 ? "red" : "black" },
  ]),
};

const arrow = [
  [0, 15],
  [35, 15],
  [35, 0],
  [59, 24],
  [35, 49],
  [35, 34],
  [0, 34],
];
function starOf(x: number, y: number): number[][] {
  return Array.from({ length: 10 }, (_, index) => {
    const radius = index % 2 === 0 ? 24 : 10;
    const angle = (index * Math.PI) / 5;
    return [x + Math.round(radius * Math.sin(angle)), y - Math.round(radius * Math.cos(angle))];
  });
}

const badge = { fill: "red", radius: 4, padding: 3 } as const;
const small: Partial<TextElement> = { width: 60, height: 14, size: 11 };
const layouts: Record<string, LayoutElement[]> = {
  "shape-curves": [
    { kind: "ellipse", x: 4, y: 4, width: 60, height: 60, fill: "red", stroke: "black", thickness: 3 },
    { kind: "ellipse", x: 70, y: 4, width: 91, height: 40, stroke: "black" },
    { kind: "arc", x: 170, y: 4, width: 56, height: 56, color: "black", thickness: 8, from: 270, to: 90 },
    { kind: "arc", x: 232, y: 4, width: 56, height: 56, color: "red", thickness: 3, from: 20, to: 340 },
    { kind: "polygon", x: 4, y: 70, width: 60, height: 50, fill: "red", points: starOf(30, 25) },
    { kind: "polygon", x: 70, y: 70, width: 60, height: 50, stroke: "black", thickness: 2, points: arrow },
    { kind: "line", x: 140, y: 76, width: 150, height: 1, color: "black", thickness: 3, dash: [9, 6] },
    { kind: "line", x: 140, y: 84, width: 60, height: 36, color: "black", direction: "up" },
    { kind: "line", x: 210, y: 84, width: 60, height: 36, color: "red", direction: "up", thickness: 2, dash: [8, 5] },
    { kind: "line", x: 280, y: 84, width: 1, height: 38, color: "black", dash: [1, 1] },
  ],
  "layout-turned": ([0, 90, 180, 270] as const).flatMap((rotate, index): LayoutElement[] => {
    const area = { x: 3 + index * 73, y: 3, width: 68, height: 68 };
    return [
      { ...frame(area.x, area.y, 68, 68) },
      text({ ...area, rotate, size: 15, lines: 3, text: "Jagode 500 g" }),
      price({ x: area.x, y: 76, width: 68, height: 48, rotate, size: 26, value: "2.49", color: "red" }),
    ];
  }),
  "layout-boxes": [
    text({ x: 3, y: 3, width: 140, height: 30, size: 18, color: "white", box: badge, text: "-20 %" }),
    text({ x: 3, y: 40, width: 140, height: 40, align: "center", box: { stroke: "black", thickness: 2 }, text: "bio" }),
    text({
      x: 3,
      y: 84,
      width: 140,
      height: 40,
      lines: 2,
      size: 14,
      box: { fill: "black" },
      color: "white",
      text: NAME,
    }),
    price({ x: 150, y: 3, width: 140, height: 70, align: "right", color: "white", box: badge }),
    price({ x: 150, y: 80, width: 140, height: 44, size: 30, verticalAlign: "middle", box: { stroke: "red" } }),
  ],
  "layout-groups": [
    {
      ...{ kind: "group", x: 4, y: 4, width: 64, height: 58, repeat: { count: 3, x: 68 } },
      elements: [
        frame(0, 0, 64, 58),
        text({ ...small, x: 3, y: 3, text: "Polica ${group.index + 1}/${group.count}" }),
        price({ x: 2, y: 22, width: 60, height: 34, size: 26, value: "${group.index + 1}.99" }),
      ],
    },
    {
      ...{ kind: "stack", x: 4, y: 66, width: 100, height: 58, gap: 2 },
      elements: [
        text({ ...small, text: "prvi" }),
        text({ ...small, text: "skriven", visible: "false" }),
        text({ ...small, x: 12, text: "treći" }),
        text({ ...small, text: "${item.missing}" }),
        text({ ...small, text: "peti" }),
      ],
    },
    {
      ...{ kind: "stack", x: 110, y: 66, width: 120, height: 58, direction: "right", align: "end", gap: 4 },
      elements: ["A", "B", "C"].map((letter) =>
        text({ width: 20, size: 16, box: badge, color: "white", text: letter }),
      ),
    },
    {
      ...{ kind: "group", x: 236, y: 4, width: 56, height: 120, rotate: 270 },
      elements: [frame(0, 0, 120, 56), text({ x: 4, y: 4, width: 112, size: 14, height: 48, lines: 2, text: NAME })],
    },
  ],
};
const EAN = "3850334020802";
const WEIGHED = "(01)09501101530003(3103)000123";
const codes: Record<string, Element[]> = {
  "code-guard-bars": [
    { kind: "ean13", x: 0, y: 2, width: 226, height: 60, value: EAN, guardBars: true, align: "left" },
    { kind: "upca", x: 0, y: 66, width: 190, height: 60, value: "012345678905", guardBars: true, smallestModule: 1 },
    { kind: "ean8", x: 190, y: 66, width: 106, height: 60, value: "96385074", guardBars: true, smallestModule: 1 },
  ],
  "code-databar": [
    { kind: "databar", x: 0, y: 2, width: 296, height: 50, value: "9501101530003", align: "right", textSize: 14 },
    { ...{ kind: "databar-expanded", x: 0, y: 60, width: 296, height: 60, smallestModule: 1 }, value: WEIGHED },
  ],
  "code-trade": [
    { kind: "code39", x: 0, y: 2, width: 220, height: 50, value: "K-1", align: "left" },
    { kind: "itf14", x: 0, y: 64, width: 296, height: 60, value: "09501101530003" },
    { kind: "datamatrix", x: 226, y: 2, width: 70, height: 58, value: "HALL 4, RACK 12", align: "right" },
  ],
  "code-ean": [
    { kind: "ean13", x: 0, y: 0, width: 296, height: 62, value: EAN },
    { kind: "ean8", x: 0, y: 66, width: 296, height: 60, value: "40170725" },
  ],
  "code-upca": [{ kind: "upca", x: 20, y: 20, width: 240, height: 90, value: "036000291452" }],
  "code-128": [
    { kind: "code128", x: 0, y: 0, width: 296, height: 60, value: "Polica 7-A/12", smallestModule: 1 },
    { kind: "code128", x: 0, y: 66, width: 296, height: 60, value: "1234567890", text: false },
  ],
  "code-gs1-128": [
    { kind: "gs1-128", x: 0, y: 0, width: 296, height: 60, value: "(00)395011015300000011", smallestModule: 1 },
    { kind: "gs1-128", x: 0, y: 66, width: 296, height: 60, value: "(01)09501101530003(17)260703", smallestModule: 1 },
  ],
  "code-qr": (["L", "M", "Q", "H"] as const).map((errorCorrection, index) => ({
    kind: "qr",
    x: index * 74,
    y: 20,
    width: 74,
    height: 88,
    value: "SHELF",
    errorCorrection,
  })),
  "code-qr-large": [
    { kind: "qr", x: 0, y: 0, width: 128, height: 128, value: "https://example.com/items/4711?store=main&ž=č" },
    { kind: "gs1-datamatrix", x: 140, y: 0, width: 128, height: 128, value: "(01)09501101530003(17)260703(10)AB12" },
  ],
};

const IMAGE = "1".repeat(64);
const SIDE = 96;
/** All hues from left to right, from light to dark; transparent below the diagonal. */
const rainbow: Bitmap = {
  width: SIDE,
  height: SIDE,
  data: Uint8Array.from(
    Array.from({ length: SIDE * SIDE }, (_, index) => {
      const [x, y] = [index % SIDE, Math.floor(index / SIDE)];
      const channel = (shift: number) => {
        const hue = Math.abs((((x / SIDE) * 6 + shift) % 6) - 3) - 1;
        const pure = Math.max(0, Math.min(1, hue));
        return Math.round(255 * (y < SIDE / 2 ? 1 - (1 - pure) * (y / 48) : pure * (2 - y / 48)));
      };
      return [channel(0), channel(4), channel(2), x + y > SIDE * 1.6 ? 0 : 255];
    }).flat(),
  ),
};
const images = new Map([[IMAGE, { file: IMAGE, bitmap: rainbow }]]);
const image = (x: number, dither: boolean | "ordered"): Element => ({
  kind: "image",
  x,
  y: 16,
  width: SIDE,
  height: SIDE,
  image: IMAGE,
  dither,
});

const palettes: Record<string, Color[]> = {
  bw: ["white", "black"],
  bwr: BWR,
  bwy: ["white", "black", "yellow"],
  bwry: ["white", "black", "red", "yellow"],
  seven: ["white", "black", "red", "yellow", "green", "blue", "orange"],
};

const onLabel = (elements: LayoutElement[], colors: Color[] = BWR, background: Color = "white"): Framebuffer =>
  drawElements(elements, { width: 296, height: 128, colors, background, images }).picture;

/** A label in a script: a name in lines, a quantity, and a price with the sign of its currency. */
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

const scriptCases: readonly GoldenCase[] = [
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

export const goldenCases: readonly GoldenCase[] = [
  ...products,
  ...scriptCases,
  ...Object.entries({ ...texts, ...prices, ...shapes, ...layouts, ...codes }).map(([name, elements]) => ({
    name,
    draw: () => onLabel(elements),
  })),
  ...Object.entries(palettes).map(([name, colors]) => ({
    name: `image-${name}`,
    draw: () => onLabel([image(2, false), image(100, "ordered"), image(198, true)], colors),
  })),
  {
    name: "layout-upright",
    draw: () =>
      drawElements(
        [
          text({ x: 4, y: 6, width: 120, height: 60, size: 22, lines: 3, text: NAME }),
          price({ x: 4, y: 90, width: 120, height: 70, align: "right" }),
          { kind: "line", x: 4, y: 170, width: 120, height: 1, thickness: 2, color: "red" },
          { kind: "ean8", x: 4, y: 190, width: 120, height: 60, value: "96385074", smallestModule: 1 },
        ],
        { width: 296, height: 128, rotate: 90 },
      ).picture,
  },
  {
    name: "background-red",
    draw: () =>
      onLabel([price({ color: "white", align: "center" }), text({ y: 80, color: "white", text: NAME })], BWR, "red"),
  },
];
