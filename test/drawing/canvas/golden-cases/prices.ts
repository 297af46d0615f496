import type { Element } from "../../../../schemas/canvas.ts";
import { price } from "./elements.ts";

/** Prices: sizes, currencies, strike lines, zeros and thousands. */
export const prices: Record<string, Element[]> = {
  "price-sizes": [20, 35, 50, 65, 80, 100].map((decimalsPercent, index) =>
    price({ x: (index % 3) * 99, y: Math.floor(index / 3) * 64, width: 97, height: 60, decimalsPercent }),
  ),
  "price-currencies": [
    price({ width: 146 }),
    price({ x: 148, width: 146, currency: "code", currencyPercent: 30 }),
    price({ y: 64, width: 146, currency: "none" }),
    price({ x: 148, y: 64, width: 146, value: "-1234.5", decimalsPercent: 40 }),
  ],
  "price-struck": [
    price({ width: 140, size: 30, struck: true, value: "19.99" }),
    price({ x: 146, width: 150, color: ["red", "black"], value: "12.49" }),
    price({ y: 64, width: 296, value: "na upit" }),
  ],
  "price-struck-ways": (["middle", "diagonal"] as const).flatMap((struck, column) => [
    price({ x: column * 148, width: 144, height: 40, size: 32, struck }),
    price({ x: column * 148, y: 44, width: 144, height: 30, size: 20, struck, decimalsPercent: 100 }),
    price({ x: column * 148, y: 78, width: 144, height: 30, size: 24, struck, struckColor: "red", font: "regular" }),
  ]),
  "price-zeros": [
    price({ width: 98, height: 40, size: 32, value: "12", zeroDecimals: "dash" }),
    price({ x: 99, width: 98, height: 40, size: 32, value: "12", zeroDecimals: "hide" }),
    price({ x: 198, width: 98, height: 40, size: 32, value: "12.5", zeroDecimals: "hide", decimals: 1 }),
    price({
      y: 44,
      width: 140,
      height: 40,
      size: 32,
      value: "12",
      zeroDecimals: "dash",
      locale: "de-CH",
      currencyCode: "CHF",
    }),
    price({ x: 150, y: 44, width: 140, height: 40, size: 32, separator: "none" }),
    price({ y: 88, width: 140, height: 40, size: 32, currencyPosition: "before" }),
    price({ x: 150, y: 88, width: 140, height: 40, size: 32, separator: ".", currency: "none" }),
  ],
  "price-second-currency": [
    price({
      width: 140,
      height: 62,
      locale: "bg-BG",
      decimalsPercent: 45,
      second: { currencyCode: "BGN", rate: "1.95583" },
    }),
    price({
      x: 150,
      width: 144,
      height: 62,
      align: "right",
      locale: "bg-BG",
      value: "1234.5",
      decimalsPercent: 45,
      second: { currencyCode: "BGN", rate: "1.95583" },
    }),
    price({
      y: 66,
      height: 60,
      locale: "bg-BG",
      second: { currencyCode: "BGN", rate: "1.95583", position: "beside", percent: 60 },
    }),
  ],
  "price-suffix": [
    price({ width: 146, height: 60, size: 50, suffix: "/kg" }),
    price({ x: 150, width: 146, height: 60, size: 50, suffix: "/kg", currencyPlace: "beside", currencyPercent: 30 }),
    price({ y: 64, width: 146, height: 60, size: 50, currencyPlace: "below", decimalsPercent: 60 }),
    price({
      ...{ x: 150, y: 64, width: 146, height: 60, size: 50 },
      ...{ locale: "en-GB", currencyCode: "GBP", suffix: " each", currencyPercent: 30 },
    }),
  ],
  "price-thousands": [
    price({ width: 146, height: 40, size: 32, value: "1234567.5", locale: "fr-FR" }),
    price({ x: 150, width: 146, height: 40, size: 32, value: "12345.5", locale: "pl-PL", currencyCode: "PLN" }),
    price({
      y: 44,
      width: 146,
      height: 40,
      size: 32,
      value: "12345",
      locale: "cs-CZ",
      currencyCode: "CZK",
      decimals: 0,
    }),
    price({
      x: 150,
      y: 44,
      width: 146,
      height: 40,
      size: 32,
      value: "12990",
      locale: "hu-HU",
      currencyCode: "HUF",
      decimals: 0,
    }),
    price({ y: 88, width: 146, height: 40, size: 32, value: "1234.5", locale: "de-CH", currencyCode: "CHF" }),
  ],
};
