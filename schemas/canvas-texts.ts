import { type Static, Type } from "typebox";
import { assetName } from "./asset.ts";
import { area, colorChoice, fontSize, inkChoice, kindOf, oneOf, percent, template, typefaces } from "./canvas-parts.ts";
import { Frame } from "./canvas-shapes.ts";

const font = (description: string) =>
  assetName(`${description}: ${typefaces.join(", ")}, or the name of a font of the tenant`, "bold");

const type = {
  font: font("Typeface and weight"),
  size: fontSize("Font size"),
  minimumSize: Type.Optional(
    fontSize(
      "Smallest size to which text shrinks to fit, and at which it must still be legible; default 8, or `size` if smaller",
    ),
  ),
  minimumPercentOfPrice: Type.Optional(
    percent(
      "Minimum size as a percentage of the selling price's size. If the text does not fit at this size, it is drawn smaller and a warning is reported. The selling price is the largest visible `price` that is not struck through and does not have this field",
    ),
  ),
  align: Type.Optional(oneOf(["left", "center", "right"], "Horizontal alignment within the area; default left")),
  verticalAlign: Type.Optional(
    oneOf(
      ["top", "middle", "bottom", "baseline"],
      "Vertical alignment within the area; default top. With baseline, the last line rests on the bottom edge, and descenders such as commas hang below it",
    ),
  ),
  color: inkChoice("Colour of the text"),
  box: Type.Optional(Frame),
};

/** Such as `de-CH`; Intl accepts every string of this form. */
const Locale = Type.String({
  pattern: "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$",
  errorMessage: 'must be a language tag such as "de-CH"',
  description: "BCP 47 language tag; defaults to the store's",
  examples: ["de-CH"],
});

const strike = {
  struck: Type.Optional(
    Type.Union([Type.Boolean(), Type.Enum(["middle", "diagonal"])], {
      description:
        "Strikes the text through, for example a former price: diagonally (true on a price) or through the middle (true on a text)",
    }),
  ),
  struckColor: Type.Optional(colorChoice("Colour of the strike-through line; defaults to the element's")),
};

/** A part of the text with its own style. */
const TextRun = Type.Object(
  {
    text: template("The text"),
    font: Type.Optional(font("Typeface; defaults to the element's")),
    bold: Type.Optional(Type.Boolean({ description: "Whether the text is bold; defaults to the weight of its font" })),
    size: Type.Optional(fontSize("Font size; scales when the element shrinks; defaults to the element's")),
    color: Type.Optional(colorChoice("Colour of the text; defaults to the element's")),
  },
  { title: "TextRun" },
);
export type TextRun = Static<typeof TextRun>;

export const TextElement = Type.Object(
  {
    kind: kindOf("text"),
    ...area,
    ...type,
    text: template("The text"),
    runs: Type.Optional(
      Type.Array(TextRun, {
        minItems: 1,
        maxItems: 10,
        description:
          "Appended to the text on the same lines, each with its own style. Text that does not fit is cut at a word",
      }),
    ),
    lines: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        description:
          "Maximum number of lines; default 1. Text that does not fit at the minimum size ends in an ellipsis",
      }),
    ),
    lineHeight: Type.Optional(
      Type.Integer({
        minimum: 80,
        maximum: 300,
        description: "Line height in percent of the size; default 117",
      }),
    ),
    whole: Type.Optional(
      Type.Boolean({
        description: "For legally required text: if it does not fit, the picture fails instead of cutting the text",
      }),
    ),
    hyphenate: Type.Optional(
      Type.Boolean({
        description: "Whether words are hyphenated by the rules of the language before the text shrinks; default false",
      }),
    ),
    locale: Type.Optional(Locale),
    balance: Type.Optional(Type.Boolean({ description: "Whether line lengths are balanced; default false" })),
    ellipsis: Type.Optional(
      oneOf(
        ["character", "word", "middle"],
        "Where text that does not fit is cut: after any letter (the default), after a word, or in the middle, which keeps the net content at the end",
      ),
    ),
    letterSpacing: Type.Optional(
      Type.Integer({
        minimum: -10,
        maximum: 100,
        description: "Letter spacing in percent of the size; default 0",
      }),
    ),
    ...strike,
  },
  { title: "TextElement" },
);
export type TextElement = Static<typeof TextElement>;

const currency = { pattern: "^[A-Z]{3}$", errorMessage: 'must be an ISO 4217 code such as "EUR"' };
const CurrencyCode = Type.String({
  ...currency,
  description: "ISO 4217 code; defaults to the store's currency",
});

/** The same amount in a second currency, for example when a country replaces its currency. */
const SecondCurrency = Type.Object(
  {
    currencyCode: Type.String({ ...currency, description: "ISO 4217 code of the second currency" }),
    rate: Type.String({
      pattern: "^\\d{1,9}(\\.\\d{1,9})?$",
      errorMessage: 'must be a decimal number such as "1.95583", with at most 9 digits on each side of the point',
      description:
        "Amount of the second currency per unit of the price's currency; the product is rounded to the second currency's decimals",
      examples: ["1.95583"],
    }),
    position: Type.Optional(oneOf(["beside", "below"], "Position relative to the price; default below")),
    percent: Type.Optional(percent("Size in percent of the price's size; default 40")),
  },
  { description: "The same amount in a second currency" },
);

export const PriceElement = Type.Object(
  {
    kind: kindOf("price"),
    ...area,
    ...type,
    value: template("The price"),
    decimalsPercent: Type.Optional(percent("Size of the decimals in percent of the size; default 50")),
    currency: Type.Optional(
      oneOf(["symbol", "code", "none"], "How the currency is shown: as a symbol (default), as a code, or not at all"),
    ),
    currencyPercent: Type.Optional(
      percent("Size of the currency in percent of the size; defaults to the decimals' size"),
    ),
    decimals: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 6,
        description: "Number of decimals; by default as many as were sent, but no fewer than the currency has",
      }),
    ),
    zeroDecimals: Type.Optional(
      oneOf(
        ["show", "hide", "dash"],
        "How decimals that are all zero are shown: as zeros (the default), not at all, or as a dash (12.–)",
      ),
    ),
    separator: Type.Optional(
      oneOf([".", ",", "none"], "Decimal separator; defaults to the locale's. `none` requires small decimals"),
    ),
    currencyCode: Type.Optional(CurrencyCode),
    currencyPosition: Type.Optional(
      oneOf(["before", "after"], "Position of the currency; by default as usual in the locale"),
    ),
    currencyPlace: Type.Optional(
      oneOf(
        ["below", "beside"],
        "Where a currency that follows the number is drawn: below the decimals, as small as needed, or next to them; by default below if it fits there",
      ),
    ),
    suffix: Type.Optional(
      template("Text after the currency in the same size, such as `/kg`; if it has no value, the price is left out"),
    ),
    locale: Type.Optional(Locale),
    second: Type.Optional(SecondCurrency),
    ...strike,
  },
  {
    title: "PriceElement",
    description: "Drawn in full or not at all: a price may shrink but never ends in an ellipsis",
  },
);
export type PriceElement = Static<typeof PriceElement>;
