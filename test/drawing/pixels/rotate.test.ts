import test from "ava";
import type { Framebuffer } from "../../../drawing/pixels/framebuffer.ts";
import { backwards, rotatedArea, rotatedSize, rotatePicture } from "../../../drawing/pixels/rotate.ts";
import type { Rotation } from "../../../schemas/canvas-parts.ts";

const picture: Framebuffer = {
  width: 3,
  height: 2,
  palette: ["white", "black", "red"],
  pixels: Uint8Array.from([1, 2, 0, 0, 0, 2]),
};

const rotated: [rotation: Rotation, width: number, pixels: number[]][] = [
  [0, 3, [1, 2, 0, 0, 0, 2]],
  [90, 2, [0, 1, 0, 2, 2, 0]],
  [180, 3, [2, 0, 0, 0, 2, 1]],
  [270, 2, [0, 2, 2, 0, 1, 0]],
];

for (const [rotation, width, pixels] of rotated) {
  test(`a picture is turned clockwise by ${rotation} degrees and back again`, (t) => {
    const made = rotatePicture(picture, rotation);
    t.deepEqual([made.width, [...made.pixels]], [width, pixels]);
    t.deepEqual(rotatePicture(made, backwards(rotation)), picture);
  });

  test(`an area turned by ${rotation} degrees keeps its pixels`, (t) => {
    const area = { x: 1, y: 0, width: 2, height: 1 };
    const made = rotatePicture(picture, rotation);
    const { x, y, width: across, height } = rotatedArea(area, rotatedSize(picture, rotation), rotation);
    const found = Array.from({ length: across * height }, (_, index) => {
      return made.pixels[(y + Math.floor(index / across)) * made.width + x + (index % across)];
    });
    t.deepEqual(found.toSorted(), [0, 2]);
  });
}
