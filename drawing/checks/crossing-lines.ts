import type { Element } from "../../schemas/canvas.ts";
import { isSideways } from "../../schemas/canvas-parts.ts";
import type { LineElement } from "../../schemas/canvas-shapes.ts";
import type { Area } from "../pixels/framebuffer.ts";

/** A price on a label that is not struck through. */
export interface HoldingPrice {
  text: string;
  /** The position of the price's digits on the label. */
  digits: Area;
}

type Point = readonly [x: number, y: number];
type Segment = readonly [from: Point, to: Point];

/** Part of the digits' height and width, on each side, that a line may touch without crossing them. */
const EDGE = 0.15;
/** A box at most this thin, relative to the height of the digits, looks like a line. */
const THIN = 0.25;

/** Whether a line, a side of a frame or a bar crosses the digits of a price, so the price looks struck through. */
export function isCrossed({ digits }: HoldingPrice, elements: readonly Element[]): boolean {
  const [across, down] = [digits.width * EDGE, digits.height * EDGE];
  const inner = {
    x: digits.x + across,
    y: digits.y + down,
    width: digits.width - 2 * across,
    height: digits.height - 2 * down,
  };
  return elements.some((element) => segmentsOf(element, digits.height * THIN).some((line) => goesThrough(line, inner)));
}

function segmentsOf(element: Element, thin: number): Segment[] {
  if (element.kind === "line") return [lineOf(element)];
  if (element.kind === "box")
    return [...(element.stroke ? sidesOf(element) : []), ...(element.fill ? barOf(element, thin) : [])];
  if (element.kind !== "polygon" || !element.stroke || element.rotate) return [];
  const corners = element.points.map(([x = 0, y = 0]): Point => [element.x + x, element.y + y]);
  return corners.map((corner, index): Segment => [corner, corners[(index + 1) % corners.length] as Point]);
}

function lineOf(element: LineElement): Segment {
  const { x, y, width, height, direction = "down", rotate } = element;
  const isDown = (direction === "down") !== isSideways(rotate);
  const [right, bottom] = [x + width - 1, y + height - 1];
  return isDown
    ? [
        [x, y],
        [right, bottom],
      ]
    : [
        [x, bottom],
        [right, y],
      ];
}

function sidesOf({ x, y, width, height }: Area): Segment[] {
  const [right, bottom] = [x + width - 1, y + height - 1];
  return [
    [
      [x, y],
      [right, y],
    ],
    [
      [x, bottom],
      [right, bottom],
    ],
    [
      [x, y],
      [x, bottom],
    ],
    [
      [right, y],
      [right, bottom],
    ],
  ];
}

function barOf({ x, y, width, height }: Area, thin: number): Segment[] {
  if (Math.min(width, height) > thin) return [];
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  return width > height
    ? [
        [
          [x, middleY],
          [x + width, middleY],
        ],
      ]
    : [
        [
          [middleX, y],
          [middleX, y + height],
        ],
      ];
}

/** Whether any part of a segment is in an area (Liang-Barsky algorithm). */
function goesThrough([[x0, y0], [x1, y1]]: Segment, { x, y, width, height }: Area): boolean {
  const [across, down] = [x1 - x0, y1 - y0];
  let [from, to] = [0, 1];
  for (const [step, room] of [
    [-across, x0 - x],
    [across, x + width - x0],
    [-down, y0 - y],
    [down, y + height - y0],
  ] as const) {
    if (step === 0 && room < 0) return false;
    if (step < 0) from = Math.max(from, room / step);
    if (step > 0) to = Math.min(to, room / step);
  }
  return from < to;
}
