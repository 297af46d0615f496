import test from "ava";
import fc from "fast-check";
import type { ColorChoice } from "../../../../schemas/canvas-parts.ts";
import type { Color } from "../../../../schemas/tenant.ts";
import { colorIndex, nearestColorIndex } from "../../../../workers/renderer/pixels/colors.ts";
import { rgb } from "../../../../workers/renderer/pixels/framebuffer.ts";

const BWR: Color[] = ["white", "black", "red"];
const choices: [rule: string, choice: ColorChoice, palette: Color[], color: Color][] = [
  ["a colour that the device has", "red", BWR, "red"],
  ["a colour that the device lacks is black", "red", ["white", "black"], "black"],
  ["the first of several that the device has", ["yellow", "red", "white"], BWR, "red"],
  ["the order of preference counts, not the palette's", ["black", "white"], BWR, "black"],
  ["black where the device has none of several", ["red", "yellow"], ["white", "black"], "black"],
  ["the index follows the device's palette", "white", ["black", "white"], "white"],
];

for (const [rule, choice, palette, color] of choices) {
  test(rule, (t) => t.is(palette[colorIndex(choice, palette)], color));
}

const channel = fc.integer({ min: 0, max: 255 });
const palette = fc.shuffledSubarray<Color>(["white", "black", "red", "yellow"], { minLength: 1 });

test("the nearest colour has the smallest squared RGB distance", (t) => {
  fc.assert(
    fc.property(channel, channel, channel, palette, (red, green, blue, colors) => {
      const distance = (color: Color) => {
        const [r, g, b] = rgb[color];
        return (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2;
      };
      const chosen = colors[nearestColorIndex(red, green, blue, colors)];
      t.truthy(chosen);
      t.is(distance(chosen as Color), Math.min(...colors.map(distance)));
    }),
  );
});
