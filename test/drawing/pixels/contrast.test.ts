import test from "ava";
import { contrastIndex, contrastOf, MIN_CONTRAST, mostlyIn } from "../../../drawing/pixels/contrast.ts";
import { createFramebuffer, fillRectangle } from "../../../drawing/pixels/framebuffer.ts";
import type { Color } from "../../../schemas/color.ts";

const all: Color[] = ["white", "black", "red", "yellow", "green", "blue", "orange"];

test("contrast uses measured colours: it is symmetric, and a colour has no contrast with itself", (t) => {
  for (const one of all) {
    t.is(contrastOf(one, one), 1);
    for (const other of all) t.is(contrastOf(one, other), contrastOf(other, one));
  }
  t.true(contrastOf("black", "white") > 10);
});

const pairs: [ink: Color, beneath: Color, isLegible: boolean][] = [
  ["red", "white", true],
  ["blue", "white", true],
  ["green", "white", true],
  ["yellow", "white", false],
  ["yellow", "black", true],
  ["yellow", "red", true],
  ["green", "black", false],
  ["red", "black", false],
];
for (const [ink, beneath, isLegible] of pairs)
  test(`${ink} on ${beneath} ${isLegible ? "can" : "cannot"} be read`, (t) =>
    t.is(contrastOf(ink, beneath) >= MIN_CONTRAST, isLegible, contrastOf(ink, beneath).toFixed(2)));

const standsOut: [beneath: Color, palette: Color[], color: Color][] = [
  ["white", all, "black"],
  ["yellow", all, "black"],
  ["black", all, "white"],
  ["red", ["white", "black", "red"], "white"],
  ["blue", all, "white"],
];
for (const [beneath, palette, color] of standsOut)
  test(`${color} has the strongest contrast with ${beneath}`, (t) =>
    t.is(palette[contrastIndex(palette.indexOf(beneath), palette)], color));

test("the colour beneath is the most frequent colour in the visible part of the area", (t) => {
  const picture = createFramebuffer(10, 10, all, 0);
  fillRectangle(picture, 0, 0, 10, 4, 2);
  t.is(mostlyIn(picture, { x: 0, y: 0, width: 10, height: 10 }), 0);
  t.is(mostlyIn(picture, { x: 2, y: -4, width: 20, height: 9 }), 2);
  t.is(mostlyIn(picture, { x: 20, y: 20, width: 5, height: 5 }), 0);
});
