import type { LayoutElement } from "../../../../schemas/canvas.ts";
import type { TextElement } from "../../../../schemas/canvas-texts.ts";
import { frame, NAME, price, text } from "./elements.ts";

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
/** Curves, rotated elements, boxes around text, groups and stacks. */
export const layouts: Record<string, LayoutElement[]> = {
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
  "layout-flow": ["Kruh", "Kruh bijeli narezani iz krušne peći"].map(
    (name, index): LayoutElement => ({
      ...{ kind: "stack", x: 3 + index * 148, y: 3, width: 142, height: 122, gap: 3, flow: "content" },
      elements: [
        text({ x: 0, y: 0, width: 142, height: 44, size: 18, lines: 2, text: name }),
        { kind: "line", x: 0, y: 2, width: 142, height: 1, color: "red" },
        {
          ...{ kind: "stack", x: 0, y: 0, width: 142, height: 40, direction: "right", gap: 4, flow: "content" },
          elements: [
            price({ width: 120, height: 36, size: 36, value: "1.99", verticalAlign: "baseline" }),
            text({ x: 0, y: 0, width: 40, height: 36, size: 14, verticalAlign: "baseline", text: "/kom" }),
          ],
        },
      ],
    }),
  ),
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
