import { type Static, Type } from "typebox";
import { area, fontSize, oneOf, template } from "./canvas-parts.ts";

const code = {
  ...area,
  value: template("What is encoded"),
  smallestModule: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 20,
      description: "Pixels of a module at least; default 2. A code that does not fit so is left out",
    }),
  ),
  align: Type.Optional(oneOf(["left", "center", "right"], "Where it stands in its area; default center")),
};

export const LinearCodeElement = Type.Object(
  {
    kind: oneOf(
      ["ean13", "ean8", "upca", "code128", "gs1-128", "code39", "itf14", "databar", "databar-expanded"],
      "What kind of code it is",
    ),
    ...code,
    text: Type.Optional(
      Type.Boolean({ description: "Whether its text is drawn below the bars, where there is room; default true" }),
    ),
    textSize: Type.Optional(
      fontSize("Of the text; default a fifth of the height, from 10 to 24. What has no room is left away"),
    ),
    guardBars: Type.Optional(
      Type.Boolean({
        description: "Of an EAN or UPC: the digits in groups, between longer bars, as shops know it; default false",
      }),
    ),
  },
  { title: "LinearCodeElement", description: "Black on white with quiet zones, because scanners need both" },
);
export type LinearCodeElement = Static<typeof LinearCodeElement>;

export const MatrixCodeElement = Type.Object(
  {
    kind: oneOf(["qr", "datamatrix", "gs1-datamatrix"], "What kind of code it is"),
    ...code,
    errorCorrection: Type.Optional(
      oneOf(["L", "M", "Q", "H"], "Of a QR code, at least: from L (7 %) to H (30 %); default M"),
    ),
  },
  { title: "MatrixCodeElement", description: "Black on white with quiet zones, because scanners need both" },
);
export type MatrixCodeElement = Static<typeof MatrixCodeElement>;
