import test from "ava";
import { compileCanvas } from "../../../drawing/canvas/compile-canvas.ts";
import { draw } from "../../../drawing/canvas/draw.ts";
import { LEGAL } from "../../../drawing/templates/face.ts";
import { type TemplateId, templateIds } from "../../../drawing/templates/listed.ts";
import { templateCanvas } from "../../../drawing/templates/templates.ts";
import { templateLanguages } from "../../../drawing/templates/words.ts";
import { type CanvasDesign, drawnElements } from "../../../schemas/canvas.ts";
import { unknownFieldsOf } from "../../../schemas/check-canvas.ts";
import type { Color } from "../../../schemas/color.ts";
import { noticeText } from "../../../schemas/drawing-notice.ts";
import { labelCatalogue } from "../../../schemas/label-catalogue.ts";
import { dpiOf } from "../../../schemas/panels.ts";
import { labelTypes } from "../../../scripts/demo/catalogue.ts";
import { casesToTry } from "../../harness/searches/effort.ts";
import { drawElements, inkOf } from "../drawing.ts";

interface Panel {
  width: number;
  height: number;
  dpi: number;
  display: "matrix";
}

/** Every size and density in the catalogue and in the demo. */
const panels: Panel[] = [
  ...new Map(
    [...labelCatalogue.map(({ labelType }) => labelType), ...labelTypes]
      .filter(({ display }) => display === "matrix")
      .map(({ width, height, dpi }) => ({ width, height, dpi: dpiOf({ width, height, ...(dpi && { dpi }) }) }))
      .map((panel): [string, Panel] => [Object.values(panel).join(), { ...panel, display: "matrix" }]),
  ).values(),
];

/** Everything that a template shows, with the values that take the most space. */
const LONGEST = {
  ...{ itemName: "ČOKOLADA MLIJEČNA S LJEŠNJACIMA I GROŽĐICAMA 300 G XXL", price: "199.99", quantity: "0.02 kg" },
  ...{ unitPrice: "9999.50", lowestPrice30: "249.99", loyaltyPrice: "188.88", deposit: "12.25", plu: "94011" },
  ...{ origin: "Novi Zeland", quality: "I. klasa", vintage: "2021", grape: "Cabernet Sauvignon" },
  ...{ itemName2: "Schokolade mit Haselnüssen", ean: "3850334043641" },
};
const item = {
  ...LONGEST,
  itemName: "Kruh",
  price: "2.49",
  quantity: "1 kg",
  unitPrice: "2.49",
  lowestPrice30: "3.29",
  loyaltyPrice: "1.99",
};

const labelOf = (text: string): string => /\d+ x \d+/.exec(text)?.[0] ?? text;

function drawOn(
  canvas: CanvasDesign,
  panel: Panel,
  locale: string,
  shown: Record<string, string>,
  colors: Color[] = ["white", "black", "red"],
  position = 0,
) {
  const store = { locale, currency: "EUR" };
  const link = { displayPosition: BigInt(position) };
  const variables = { item: shown, link, device: {}, store: { ...store, timeZone: "UTC" } };
  return draw(compileCanvas(canvas), { labelType: { type: 1, ...panel, colors }, variables, store, images: new Map() });
}

/** The failures of a picture: faults, omitted elements, and legally required text that is cut. */
function failuresOf(template: TemplateId, panel: Panel, locale: string, shown: Record<string, string>): string[] {
  const canvas = templateCanvas(template, panel, locale);
  if (canvas === undefined) return [];
  const where = `${template} on ${panel.width} x ${panel.height} at ${panel.dpi} dpi, ${locale}`;
  try {
    const { errors } = drawOn(canvas, panel, locale, shown);
    return errors.map((error) => `${where}: ${noticeText(error)}`);
  } catch (error) {
    return [`${where}: ${(error as Error).message}`];
  }
}

/** The number of rows with ink in a drawn digit. */
function heightOfDigit(size: number): number {
  const digit = { kind: "text", x: 0, y: 0, width: 200, height: 200, font: "narrow", size, color: "black" } as const;
  const ink = inkOf(drawElements([{ ...digit, text: "1" }], { width: 200, height: 200 }).picture);
  return (ink?.bottom ?? 0) - (ink?.top ?? 0);
}

for (const template of templateIds) {
  test(`${template}: legally required text has the required height on each label for which the template is offered`, (t) => {
    const offered = panels.filter((panel) => templateCanvas(template, panel, "hr-HR"));
    t.true(offered.length >= (template === "two-items" ? 6 : 25), `${offered.length} of ${panels.length}`);
    for (const panel of offered) {
      const canvas = templateCanvas(template, panel, "hr-HR") as CanvasDesign;
      t.deepEqual(unknownFieldsOf(canvas), []);
      for (const element of drawnElements(canvas.elements)) {
        if (element.kind !== "text") continue;
        const least = element.text.includes("unitPrice(")
          ? LEGAL.unitPrice
          : element.text.includes("lowestPrice30(")
            ? LEGAL.lowestPrice
            : 0;
        if (least === 0) continue;
        t.true(element.whole, "the text is never cut");
        const high = (heightOfDigit(Number(element.minimumSize)) * 25.4) / panel.dpi;
        t.true(
          high >= least,
          `${labelOf(canvas.name)} ${panel.width} x ${panel.height}: ${high.toFixed(2)} mm, not ${least}`,
        );
      }
    }
  });

  test(`${template}: usual and longest values are drawn on each label for which the template is offered`, (t) => {
    const locales = ["hr-HR", "de-DE", "el-GR"];
    const offered = panels.filter((panel) => locales.some((locale) => templateCanvas(template, panel, locale)));
    const failures = casesToTry(t, offered, { size: 8 }, "panels").flatMap((panel) =>
      locales.flatMap((locale) => [LONGEST, item].flatMap((shown) => failuresOf(template, panel, locale, shown))),
    );
    t.deepEqual(failures, []);
  });

  test(`${template}: the template is drawn in every language on a usual label`, (t) => {
    const sizes = [
      [296, 128, 112],
      [400, 300, 119],
      [800, 480, 124],
    ];
    const failures = sizes.flatMap(([width = 0, height = 0, dpi = 0]) =>
      casesToTry(t, templateLanguages, { size: 5, seed: width }, `languages on ${width} x ${height}`).flatMap(
        (language) => failuresOf(template, { width, height, dpi, display: "matrix" }, language, item),
      ),
    );
    t.deepEqual(failures, []);
  });
}

const shelfLabel: Panel = { width: 296, height: 128, dpi: 112, display: "matrix" };

test("all templates except the two-item strip and the QR code are offered for 296 x 128, even in German", (t) => {
  const without = (locale: string) => templateIds.filter((one) => !templateCanvas(one, shelfLabel, locale));
  t.deepEqual(without("hr-HR"), ["two-items", "pictogram"]);
  t.deepEqual(without("de-DE"), ["two-items", "pictogram"]);
});

test("an offer is red on labels with red, and black on others", (t) => {
  const canvas = templateCanvas("offer", shelfLabel, "hr-HR") as CanvasDesign;
  const has = (colors: Color[], color: Color) =>
    drawOn(canvas, shelfLabel, "hr-HR", item, colors).picture.pixels.includes(colors.indexOf(color));
  t.true(has(["white", "black", "red"], "red"));
  t.false(has(["white", "black", "yellow"], "yellow"));
});

test("a percentage is shown only relative to the lowest price of 30 days", (t) => {
  const canvas = templateCanvas("offer", shelfLabel, "hr-HR") as CanvasDesign;
  const { lowestPrice30: _, ...without } = item;
  const pictureOf = (shown: Record<string, string>) => drawOn(canvas, shelfLabel, "hr-HR", shown).picture.pixels;
  t.notDeepEqual(pictureOf({ ...item, lowestPrice30: "3.29" }), pictureOf({ ...item, lowestPrice30: "4.29" }));
  t.deepEqual(pictureOf({ ...without, formerPrice: "3.29" }), pictureOf({ ...without, formerPrice: "4.29" }));
});
