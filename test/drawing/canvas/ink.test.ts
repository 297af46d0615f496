import test from "ava";
import type { Element } from "../../../schemas/canvas.ts";
import type { Color } from "../../../schemas/color.ts";
import { colorsIn, drawElements } from "../drawing.ts";

const area = { x: 10, y: 10, width: 200, height: 60, font: "bold", size: 40 } as const;
const text = (color: unknown, change: object = {}) =>
  ({ kind: "text", ...area, text: "Akcija", color, ...change }) as Element;
const price = (color: unknown) => ({ kind: "price", ...area, value: "1.99", color }) as Element;
const behind = (fill: Color): Element => ({ kind: "box", x: 0, y: 0, width: 300, height: 120, fill });
const colors: Color[] = ["white", "black", "red", "yellow"];

const hard: [what: string, elements: Element[], warning: RegExp][] = [
  ["yellow on white", [text("yellow")], /^"Akcija" is hard to read: yellow on white has a contrast of 1\.1 on e-paper/],
  ["a yellow price on white", [price("yellow")], /^"1\.99" is hard to read: yellow on white/],
  ["red on black", [behind("black"), text("red")], /red on black has a contrast of 2\.4/],
  ["a yellow run on white", [text("black", { runs: [{ text: "!", color: "yellow" }] })], /yellow on white/],
  ["white in its own yellow box", [text("white", { box: { fill: "yellow" } })], /white on yellow/],
];
for (const [what, elements, warning] of hard)
  test(`${what} is reported as hard to read`, (t) => {
    const { warnings } = drawElements(elements, { colors });
    t.is(warnings.length, 1);
    t.regex(warnings[0] ?? "", warning);
  });

const easy: [what: string, elements: Element[]][] = [
  ["red on white", [text("red")]],
  ["yellow on black", [behind("black"), text("yellow")]],
  ["black on yellow", [behind("yellow"), price("black")]],
  ["yellow, if the label has only black", [text(["green", "black"])]],
];
for (const [what, elements] of easy)
  test(`${what} is not reported`, (t) => t.deepEqual(drawElements(elements, { colors }).warnings, []));

const chosen: [fill: Color, color: Color][] = [
  ["white", "black"],
  ["yellow", "black"],
  ["black", "white"],
  ["red", "white"],
];
for (const [fill, color] of chosen) {
  test(`contrast: on ${fill} text and prices are ${color}`, (t) => {
    for (const element of [text("contrast"), price("contrast")]) {
      const { picture, warnings } = drawElements([behind(fill), element], { colors });
      t.deepEqual(colorsIn(picture), [fill, color].toSorted());
      t.deepEqual(warnings, []);
    }
  });
}

test("contrast: text in its own box contrasts with that box", (t) => {
  const { picture } = drawElements([text("contrast", { box: { fill: "red" } })], { colors });
  t.deepEqual(colorsIn(picture), ["red", "white"]);
  const { palette, pixels } = picture;
  t.true(pixels.filter((index) => palette[index] === "red").length > 1000);
});
