import type { Element } from "../../../../schemas/canvas.ts";

const EAN = "3850334020802";
const WEIGHED = "(01)09501101530003(3103)000123";
/** Labels for each symbology. */
export const codes: Record<string, Element[]> = {
  "code-guard-bars": [
    { kind: "ean13", x: 0, y: 2, width: 226, height: 60, value: EAN, guardBars: true, align: "left" },
    { kind: "upca", x: 0, y: 66, width: 190, height: 60, value: "012345678905", guardBars: true, smallestModule: 1 },
    { kind: "ean8", x: 190, y: 66, width: 106, height: 60, value: "96385074", guardBars: true, smallestModule: 1 },
  ],
  "code-databar": [
    { kind: "databar", x: 0, y: 2, width: 296, height: 50, value: "9501101530003", align: "right", textSize: 14 },
    { ...{ kind: "databar-expanded", x: 0, y: 60, width: 296, height: 60, smallestModule: 1 }, value: WEIGHED },
  ],
  "code-trade": [
    { kind: "code39", x: 0, y: 2, width: 220, height: 50, value: "K-1", align: "left" },
    { kind: "itf14", x: 0, y: 64, width: 296, height: 60, value: "09501101530003" },
    { kind: "datamatrix", x: 226, y: 2, width: 70, height: 58, value: "HALL 4, RACK 12", align: "right" },
  ],
  "code-ean": [
    { kind: "ean13", x: 0, y: 0, width: 296, height: 62, value: EAN },
    { kind: "ean8", x: 0, y: 66, width: 296, height: 60, value: "40170725" },
  ],
  "code-upca": [{ kind: "upca", x: 20, y: 20, width: 240, height: 90, value: "036000291452" }],
  "code-128": [
    { kind: "code128", x: 0, y: 0, width: 296, height: 60, value: "Polica 7-A/12", smallestModule: 1 },
    { kind: "code128", x: 0, y: 66, width: 296, height: 60, value: "1234567890", text: false },
  ],
  "code-gs1-128": [
    { kind: "gs1-128", x: 0, y: 0, width: 296, height: 60, value: "(00)395011015300000011", smallestModule: 1 },
    { kind: "gs1-128", x: 0, y: 66, width: 296, height: 60, value: "(01)09501101530003(17)260703", smallestModule: 1 },
  ],
  "code-qr": (["L", "M", "Q", "H"] as const).map((errorCorrection, index) => ({
    kind: "qr",
    x: index * 74,
    y: 20,
    width: 74,
    height: 88,
    value: "SHELF",
    errorCorrection,
  })),
  "code-qr-large": [
    { kind: "qr", x: 0, y: 0, width: 128, height: 128, value: "https://example.com/items/4711?store=main&ž=č" },
    { kind: "gs1-datamatrix", x: 140, y: 0, width: 128, height: 128, value: "(01)09501101530003(17)260703(10)AB12" },
  ],
};
