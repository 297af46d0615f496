import { type Color, colors, type Rgb } from "../../schemas/color.ts";

/** A type of tag, as access points describe it. */
export interface TagType {
  name: string;
  width: number;
  height: number;
  /** Quarter turns from the picture to the tag's memory. */
  rotatebuffer: number;
  bpp: number;
  colortable: Record<string, Rgb>;
}

const tagType = (name: string, width: number, height: number, rotatebuffer: number, names: Color[]): TagType => ({
  ...{ name, width, height, rotatebuffer },
  bpp: names.length > 2 ? 2 : 1,
  colortable: Object.fromEntries(names.map((color) => [color, colors[color].rgb])),
});

/** Types of tags on the market, by their number. */
export const tagTypes: ReadonlyMap<number, TagType> = new Map([
  [0x01, tagType('M2 2.9"', 296, 128, 1, ["white", "black", "red"])],
  [0x21, tagType('ST-GM29XXF 2.9"', 296, 128, 1, ["white", "black"])],
  [0x07, tagType('Opticon 2.9"', 296, 128, 3, ["white", "black", "red", "yellow"])],
  [0x33, tagType('M3 2.9"', 384, 168, 3, ["white", "black", "red"])],
  [0x34, tagType('M3 4.2"', 400, 300, 0, ["white", "black", "red"])],
  [0x4c, tagType('M3 7.5" BWRY', 800, 480, 0, ["white", "black", "red", "yellow"])],
]);
