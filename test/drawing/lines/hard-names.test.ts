import test from "ava";
import { NET_CONTENT } from "../../../drawing/lines/units.ts";
import { layOutText } from "../../../drawing/text/draw-text.ts";
import type { TextElement } from "../../../schemas/canvas-texts.ts";
import { hardNames } from "./hard-names.ts";
import { misleading } from "./misleading.ts";

const text: TextElement = {
  ...{ kind: "text", x: 0, y: 0, width: 198, height: 38, font: "bold", size: 19, minimumSize: 12, lines: 2 },
  ...{ text: "", color: "black" },
} as TextElement;

/** Wide, narrow and low areas, with every way of breaking lines and cutting text. */
const looks: Partial<TextElement>[] = [
  {},
  { width: 144, height: 44, lines: 3, size: 14, minimumSize: 11 },
  { height: 22, lines: 1 },
  { width: 110, hyphenate: true, lines: 3, height: 60 },
  { width: 144, ellipsis: "word", font: "condensed" },
  { width: 144, ellipsis: "middle", font: "condensed" },
  { balance: true, height: 60, lines: 3, font: "regular" },
];

for (const { locale, names } of hardNames) {
  test(`${locale}: none of ${names.length} hard names is shown in a misleading way`, (t) => {
    t.is(new Set(names).size, 200);
    for (const look of looks) {
      for (const name of names) {
        const { fitted } = layOutText({ ...text, ...look }, name, locale);
        const fault = misleading(name, fitted);
        if (fault) t.fail(`${name} ${fault}: ${fitted.lines.join(" / ")} ${JSON.stringify(look)}`);
        const content = NET_CONTENT.exec(name)?.[0] ?? "";
        if (look.ellipsis === "middle" && fitted.isCut && !fitted.lines.at(-1)?.endsWith(content))
          t.fail(`${name} is shown without ${content}: ${fitted.lines.join(" / ")}`);
      }
    }
    t.pass();
  });
}

for (const [lines, isCut, fault] of [
  [["Sir gouda 500"], false, "shows other letters"],
  [["Sir gouda 5", "00 g"], false, "shows 5, a part of a number"],
  [["Sir gouda 500", "g"], false, "splits 500 g"],
  [["Sir gou…"], false, "has 1 ellipses"],
  [["Sir gouda 5…"], true, "shows 5, a part of a number"],
  [["Sir gouda", "500 g"], false, undefined],
  [["Sir… 500 g"], true, undefined],
] as const) {
  test(`"${lines.join(" / ")}" for Sir gouda 500 g ${fault ?? "does not mislead"}`, (t) =>
    t.is(misleading("Sir gouda 500 g", { lines, isCut }), fault));
}
