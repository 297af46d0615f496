import test from "ava";
import { lightOf, oklab, shownLight } from "../../../drawing/pixels/light.ts";
import { colorIndex, lookalikeIn } from "../../../drawing/pixels/nearest-color.ts";
import type { ColorChoice } from "../../../schemas/canvas-parts.ts";
import type { Color } from "../../../schemas/color.ts";

const BWR: Color[] = ["white", "black", "red"];
const choices: [rule: string, choice: ColorChoice, palette: Color[], color: Color][] = [
  ["a colour that the device has", "red", BWR, "red"],
  ["a colour that the device lacks is black", "red", ["white", "black"], "black"],
  ["the first available colour of several", ["yellow", "red", "white"], BWR, "red"],
  ["the order of preference counts, not the palette's order", ["black", "white"], BWR, "black"],
  ["black if the device has none of several colours", ["red", "yellow"], ["white", "black"], "black"],
  ["the index follows the device's palette", "white", ["black", "white"], "white"],
];

for (const [rule, choice, palette, color] of choices) {
  test(rule, (t) => t.is(palette[colorIndex(choice, palette)], color));
}

const lookalikes: [name: string, color: [number, number, number], palette: Color[], shown: Color][] = [
  ["crimson", [220, 20, 60], ["white", "black", "red", "yellow"], "red"],
  ["dark red, which is numerically closer to black", [139, 0, 0], BWR, "red"],
  ["orange on a label without orange", [255, 165, 0], ["white", "black", "red", "yellow"], "yellow"],
  ["grass", [60, 160, 60], ["white", "black", "red", "yellow", "green", "blue"], "green"],
  ["sky", [70, 130, 220], ["white", "black", "red", "yellow", "green", "blue"], "blue"],
  ["dark green, which is as bright as red, on a label without green", [0, 100, 0], BWR, "black"],
  ["navy on a label without blue", [0, 0, 128], BWR, "black"],
  ["light grey", [200, 200, 200], BWR, "white"],
  ["dark grey", [90, 90, 90], BWR, "black"],
];

for (const [name, color, palette, shown] of lookalikes) {
  test(`${name} looks most like ${shown}`, (t) => {
    t.is(palette[lookalikeIn(palette)(...oklab(lightOf(...color)))], shown);
  });
}

test("no grey is shown as a colour: smoothed edges of black letters stay black and white", (t) => {
  const palette: Color[] = ["white", "black", "red", "yellow", "green", "blue", "orange"];
  const shown = Array.from(
    { length: 256 },
    (_, grey) => palette[lookalikeIn(palette)(...oklab(lightOf(grey, grey, grey)))],
  );
  t.deepEqual(new Set(shown), new Set<Color | undefined>(["black", "white"]));
});

test("each colour of a label is nearest to itself", (t) => {
  const palette: Color[] = ["white", "black", "red", "yellow", "green", "blue", "orange"];
  for (const [index, color] of palette.entries()) t.is(lookalikeIn(palette)(...oklab(shownLight[color])), index);
});

test("in Oklab, white has lightness 1 and no colour, and red is on the red side", (t) => {
  const [lightness, ...axes] = oklab([1, 1, 1]);
  t.true(Math.abs(lightness - 1) < 1e-6 && axes.every((axis) => Math.abs(axis) < 1e-6));
  t.deepEqual(
    oklab([1, 0, 0]).map((part) => part.toFixed(3)),
    ["0.628", "0.225", "0.126"],
  );
});
