import { type Static, Type } from "typebox";
import { area, fontSize, oneOf, template } from "./canvas-parts.ts";

const code = {
  ...area,
  value: template("The content to encode"),
  smallestModule: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 20,
      description: "Minimum width of a module in pixels; default 2. A code that does not fit at this width is left out",
    }),
  ),
  align: Type.Optional(oneOf(["left", "center", "right"], "Position of the code within its area; default center")),
};

export const LinearCodeElement = Type.Object(
  {
    kind: oneOf(
      ["ean13", "ean8", "upca", "code128", "gs1-128", "code39", "itf14", "databar", "databar-expanded"],
      "Type of code",
    ),
    ...code,
    text: Type.Optional(
      Type.Boolean({ description: "Whether the text is drawn below the bars if it fits there; default true" }),
    ),
    textSize: Type.Optional(
      fontSize("Text size; defaults to a fifth of the height, between 10 and 24. Text that does not fit is left out"),
    ),
    guardBars: Type.Optional(
      Type.Boolean({
        description:
          "EAN and UPC only: print the digits in groups between longer guard bars, as on packages; default false",
      }),
    ),
  },
  { title: "LinearCodeElement", description: "Black on white with quiet zones, because scanners need both" },
);
export type LinearCodeElement = Static<typeof LinearCodeElement>;

export const MatrixCodeElement = Type.Object(
  {
    kind: oneOf(["qr", "datamatrix", "gs1-datamatrix"], "Type of code"),
    ...code,
    errorCorrection: Type.Optional(
      oneOf(["L", "M", "Q", "H"], "Minimum error correction of a QR code, from L (7%) to H (30%); default M"),
    ),
  },
  { title: "MatrixCodeElement", description: "Black on white with quiet zones, because scanners need both" },
);
export type MatrixCodeElement = Static<typeof MatrixCodeElement>;
