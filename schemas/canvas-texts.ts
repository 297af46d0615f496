import { type Static, Type } from "typebox";
import { assetName } from "./asset.ts";
import { area, colorChoice, fontSize, inkChoice, kindOf, oneOf, percent, template, typefaces } from "./canvas-parts.ts";
import { Frame } from "./canvas-shapes.ts";

const font = (description: string) =>
  assetName(`${description}: ${typefaces.join(", ")}, or the name of a font of the tenant`, "bold");

const type = {
  font: font("The typeface with its weight"),
  size: fontSize("Height of the letters' square"),
  minimumSize: Type.Optional(
    fontSize("What does not fit shrinks down to this size, at which it is still readable; default 8, or `size`"),
  ),
  minimumPercentOfPrice: Type.Optional(
    percent(
      "Its size is at least so many percent of that of the selling price, where its area has room, and a warning says where not. The selling price is the largest `price` that is shown, is not struck and has no such field",
    ),
  ),
  align: Type.Optional(oneOf(["left", "center", "right"], "Where it stands in its area; default left")),
  verticalAlign: Type.Optional(
    oneOf(
      ["top", "middle", "bottom", "baseline"],
      "Where it stands in its area; default top. With baseline its last line stands on the lower edge, and commas hang below",
    ),
  ),
  color: inkChoice("Colour of the letters"),
  box: Type.Optional(Frame),
};

/** Such as `de-CH`; every text of this form is accepted by Intl. */
const Locale = Type.String({
  pattern: "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$",
  description: "BCP 47 tag of its language; default the store's",
  examples: ["de-CH"],
});

const strike = {
  struck: Type.Optional(
    Type.Union([Type.Boolean(), Type.Enum(["middle", "diagonal"])], {
      description:
        "With a line through it, for what holds no longer: diagonal (true, of a price) or through the middle (true, of a text)",
    }),
  ),
  struckColor: Type.Optional(colorChoice("Colour of that line; default the element's own")),
};

/** A part of a text that looks otherwise than the rest. */
const TextRun = Type.Object(
  {
    text: template("What is written"),
    font: Type.Optional(font("Its typeface; default the element's")),
    bold: Type.Optional(Type.Boolean({ description: "Whether its letters are bold; default as its font" })),
    size: Type.Optional(fontSize("Height of its letters' square; it shrinks with the element's; default that")),
    color: Type.Optional(colorChoice("Colour of its letters; default the element's")),
  },
  { title: "TextRun" },
);
export type TextRun = Static<typeof TextRun>;

export const TextElement = Type.Object(
  {
    kind: kindOf("text"),
    ...area,
    ...type,
    text: template("What is written"),
    runs: Type.Optional(
      Type.Array(TextRun, {
        minItems: 1,
        maxItems: 10,
        description:
          "Written behind the text, in the same lines, each in a look of its own. What does not fit is cut at a word",
      }),
    ),
    lines: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        description: "At most this many; default 1. What does not fit at the minimum size ends in an ellipsis",
      }),
    ),
    lineHeight: Type.Optional(
      Type.Integer({
        minimum: 80,
        maximum: 300,
        description: "Distance of two lines in percent of the size; default 117",
      }),
    ),
    whole: Type.Optional(
      Type.Boolean({
        description: "For what the law asks for: where it does not fit, the picture is a fault and the text is not cut",
      }),
    ),
    hyphenate: Type.Optional(
      Type.Boolean({
        description: "Whether words are parted by the rules of the language before the text shrinks; default false",
      }),
    ),
    locale: Type.Optional(Locale),
    balance: Type.Optional(Type.Boolean({ description: "Whether its lines are made equally long; default false" })),
    ellipsis: Type.Optional(
      oneOf(
        ["character", "word", "middle"],
        "Where a text that does not fit is cut: behind any letter (the default), behind a word, or in the middle, so that the net content at its end stays",
      ),
    ),
    letterSpacing: Type.Optional(
      Type.Integer({
        minimum: -10,
        maximum: 100,
        description: "Added between letters, in percent of the size; default 0",
      }),
    ),
    ...strike,
  },
  { title: "TextElement" },
);
export type TextElement = Static<typeof TextElement>;

const CurrencyCode = Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217 code; default the store's currency" });

/** The same amount in another currency, such as the one that a country gives up. */
const SecondCurrency = Type.Object(
  {
    currencyCode: Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217 code of the second currency" }),
    rate: Type.String({
      pattern: "^\\d{1,9}(\\.\\d{1,9})?$",
      description: "How much of it one unit of the price's currency is; the product is rounded to its decimals",
      examples: ["1.95583"],
    }),
    position: Type.Optional(oneOf(["beside", "below"], "Where it stands from the price; default below")),
    percent: Type.Optional(percent("Its size in percent of the price's; default 40")),
  },
  { description: "The same amount in another currency" },
);

export const PriceElement = Type.Object(
  {
    kind: kindOf("price"),
    ...area,
    ...type,
    value: template("The price"),
    decimalsPercent: Type.Optional(percent("Size of the decimals in percent of the size; default 50")),
    currency: Type.Optional(
      oneOf(["symbol", "code", "none"], "How the currency is shown: by its sign (the default), its code, or not"),
    ),
    currencyPercent: Type.Optional(
      percent("Size of the currency in percent of the size; default that of the decimals"),
    ),
    decimals: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 6,
        description: "Exactly so many decimals; default those that were sent, and at least those of the currency",
      }),
    ),
    zeroDecimals: Type.Optional(
      oneOf(
        ["show", "hide", "dash"],
        "What stands for decimals that are all zero: they (the default), nothing, or a dash (12.–)",
      ),
    ),
    separator: Type.Optional(
      oneOf(
        [".", ",", "none"],
        "Between the integer and the decimals; default as the locale has it. none wants small decimals",
      ),
    ),
    currencyCode: Type.Optional(CurrencyCode),
    currencyPosition: Type.Optional(
      oneOf(["before", "after"], "Where the currency stands; default as the locale has it"),
    ),
    locale: Type.Optional(Locale),
    second: Type.Optional(SecondCurrency),
    ...strike,
  },
  { title: "PriceElement", description: "Drawn whole or not at all: it may shrink, but never ends in an ellipsis" },
);
export type PriceElement = Static<typeof PriceElement>;
