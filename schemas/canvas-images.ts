import { type Static, Type } from "typebox";
import { area, colorChoice, kindOf, oneOf, template } from "./canvas-parts.ts";

export const ImageElement = Type.Object(
  {
    kind: kindOf("image"),
    ...area,
    image: template("Name of one of the tenant's images, such as `nutri-${item.nutriScore}`"),
    fit: Type.Optional(
      oneOf(
        ["contain", "cover", "fill", "none"],
        "How the image fills the area: scaled to fit inside (the default), cropped to cover it, stretched, or unscaled",
      ),
    ),
    align: Type.Optional(oneOf(["left", "center", "right"], "Horizontal position within the area; default center")),
    verticalAlign: Type.Optional(
      oneOf(["top", "middle", "bottom"], "Vertical position within the area; default middle"),
    ),
    threshold: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: "Lightness threshold in percent: darker pixels become black, all others white",
      }),
    ),
    invert: Type.Optional(Type.Boolean({ description: "Whether light and dark are inverted; default false" })),
    tint: Type.Optional(
      colorChoice("Single-colour images only: the colour of the dark parts; light parts are transparent"),
    ),
    dither: Type.Optional(
      Type.Union([Type.Boolean(), Type.Enum(["ordered", "diffusion"])], {
        description: "Dithering, for photographs; none by default, and `true` means `diffusion`",
      }),
    ),
  },
  { title: "ImageElement" },
);
export type ImageElement = Static<typeof ImageElement>;
