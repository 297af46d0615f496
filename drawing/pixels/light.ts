import { type Color, colors, eachColor, type Rgb } from "../../schemas/color.ts";

/** Red, green and blue light. White is 1, 1, 1. */
export type Light = readonly [red: number, green: number, blue: number];

/** Colours of e-paper as measured: white is a light grey, and the other colours are darker than on screens. */
export const measuredColors = eachColor((color): Rgb => colors[color].measured);

/** The light of each value of an sRGB channel (IEC 61966-2-1). */
const lightOfValue = Float64Array.from({ length: 256 }, (_, value) => {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
});

/** Returns the light of an sRGB colour, whose channels are 0 to 255. */
export const lightOf = (red: number, green: number, blue: number): Light => [
  lightOfValue[red] as number,
  lightOfValue[green] as number,
  lightOfValue[blue] as number,
];

/**
 * The light of each colour of a label relative to the label's white and black, to which eyes adapt: white is 1 and black is
 * 0.
 */
export const shownLight: Readonly<Record<Color, Light>> = adapted();

function adapted(): Record<Color, Light> {
  const [white, black] = [lightOf(...measuredColors.white), lightOf(...measuredColors.black)];
  const entries = Object.entries(measuredColors).map(([color, measured]) => {
    const light = lightOf(...measured).map((part, channel) => {
      const [dark, range] = [black[channel] as number, (white[channel] as number) - (black[channel] as number)];
      return Math.min(1, Math.max(0, (part - dark) / range));
    });
    return [color, light];
  });
  return Object.fromEntries(entries);
}

/** Lightness, and two axes of colour, in which equal distances look equally different (Ottosson, Oklab, 2020). */
export type Lab = readonly [lightness: number, greenToRed: number, blueToYellow: number];

export function oklab([red, green, blue]: Light): Lab {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}

/** Brightness, and how much redder and bluer a light is than a grey of that brightness. */
export type Tone = readonly [brightness: number, red: number, blue: number];

export function toneOf([red, green, blue]: Light): Tone {
  const brightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return [brightness, red - brightness, blue - brightness];
}
