import test from "ava";
import type { Framebuffer } from "../../../drawing/pixels/framebuffer.ts";
import { backwards, turnedArea, turnedSize, turnPicture } from "../../../drawing/pixels/turn.ts";
import type { Turn } from "../../../schemas/canvas-parts.ts";

const picture: Framebuffer = {
  width: 3,
  height: 2,
  palette: ["white", "black", "red"],
  pixels: Uint8Array.from([1, 2, 0, 0, 0, 2]),
};

const turned: [turn: Turn, width: number, pixels: number[]][] = [
  [0, 3, [1, 2, 0, 0, 0, 2]],
  [90, 2, [0, 1, 0, 2, 2, 0]],
  [180, 3, [2, 0, 0, 0, 2, 1]],
  [270, 2, [0, 2, 2, 0, 1, 0]],
];

for (const [turn, width, pixels] of turned) {
  test(`a picture is turned by ${turn} degrees clockwise, and back again`, (t) => {
    const made = turnPicture(picture, turn);
    t.deepEqual([made.width, [...made.pixels]], [width, pixels]);
    t.deepEqual(turnPicture(made, backwards(turn)), picture);
  });

  test(`an area that is turned by ${turn} degrees has the pixels that it had`, (t) => {
    const area = { x: 1, y: 0, width: 2, height: 1 };
    const made = turnPicture(picture, turn);
    const { x, y, width: across, height } = turnedArea(area, turnedSize(picture, turn), turn);
    const found = Array.from({ length: across * height }, (_, index) => {
      return made.pixels[(y + Math.floor(index / across)) * made.width + x + (index % across)];
    });
    t.deepEqual(found.toSorted(), [0, 2]);
  });
}
