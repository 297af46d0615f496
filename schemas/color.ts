/** Red, green and blue, each from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/**
 * Label colours, in the order in which picture palettes list them. `rgb` is used in picture files; `measured` is
 * what a six-colour display shows in daylight, in sRGB, with orange from a seven-colour display
 * (docs/decisions/drawing/colours.md).
 */
export const colors = {
  white: { rgb: [255, 255, 255], measured: [232, 232, 232] },
  black: { rgb: [0, 0, 0], measured: [25, 30, 33] },
  red: { rgb: [255, 0, 0], measured: [178, 19, 24] },
  yellow: { rgb: [255, 255, 0], measured: [239, 222, 68] },
  green: { rgb: [0, 255, 0], measured: [18, 95, 32] },
  blue: { rgb: [0, 0, 255], measured: [33, 87, 186] },
  orange: { rgb: [255, 128, 0], measured: [184, 94, 28] },
} as const satisfies Readonly<Record<string, { rgb: Rgb; measured: Rgb }>>;

export type Color = keyof typeof colors;

/** A value for each colour. */
export const eachColor = <Value>(give: (color: Color) => Value): Readonly<Record<Color, Value>> =>
  Object.fromEntries(Object.keys(colors).map((color) => [color, give(color as Color)])) as Record<Color, Value>;
