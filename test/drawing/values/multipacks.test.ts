import test from "ava";
import { compileTemplate } from "../../../drawing/values/template.ts";

const unitPrice = (price: string, quantity: string, ...sent: string[]) =>
  compileTemplate(`\${unitPrice(${[price, quantity, ...sent].map((text) => `'${text}'`).join(", ")})}`).fill({
    item: {},
    store: { locale: "hr-HR", currency: "EUR", timeZone: "UTC", unitPricePer100: false },
  }).text;

/** Spellings of the same contents. */
const spellings: [contents: string, expected: string, spellings: string[]][] = [
  [
    "6 times 330 ml for 3.96",
    "2,00\u00a0€/l",
    [
      ...[
        "6 x 0.33 l",
        "6x330 ml",
        "6X330ML",
        "6 × 0,33 l",
        "6*33 cl",
        "6 х 0,33 л",
        "6 à 330 ml",
        "6 po 330 ml",
        " 6 x 330 ml ",
      ],
      ...[
        "330 ml x 6",
        "330ml x 6 kom",
        "0,33 l × 6 Stk.",
        "6 Dosen à 0,33 l",
        "6 Flaschen je 330 ml",
        "6 cans of 330 ml",
      ],
      ...["6 boca od 0,33 l", "6 limenki po 330 ml", "6 bottles @ 330 ml", "6 kom. x 330 ml", "6 bouteilles de 33 cl"],
    ],
  ],
  [
    "4 times 99 g for 3.96",
    "10,00\u00a0€/kg",
    [
      ...[
        "4 Stk. à 99 g",
        "4 Stück je 99g",
        "4 kom po 99 g",
        "4 kom à 0.099 kg",
        "4 pcs of 99 g",
        "4 pcs. x 99 g",
        "4 × 99 g",
      ],
      ...["99 g X 4 kom", "4 шт по 99 г"],
    ],
  ],
  ["packs of pieces for 3.96", "0,33\u00a0€/kom", ["2 x 6 kom", "2 pakiranja po 6 kom", "12 kom", "3 Pck. à 4 Stk."]],
  ["lengths whose pieces are counted for 3.96", "0,33\u00a0€/m", ["4 kom po 3 m", "4 Stk. à 300 cm"]],
];

for (const [contents, expected, all] of spellings)
  for (const spelling of all) test(`${contents}: ${spelling}`, (t) => t.is(unitPrice("3.96", spelling), expected));

/** Entries of a real price list: the contents as in the product's name, the price, and the listed unit price. */
const listed: [quantity: string, price: string, sent: string, expected: string][] = [
  ["4X85g", "2.29", "6.74", "6,74\u00a0€/kg"],
  ["2X500G", "3", "3", "3,00\u00a0€/kg"],
  ["4x55g", "1.89", "8.59", "8,59\u00a0€/kg"],
  ["20X2g", "3.45", "86.25", "86,25\u00a0€/kg"],
  ["10X15g", "2.99", "19.93", "19,93\u00a0€/kg"],
  ["40X2g", "2.19", "27.38", "27,38\u00a0€/kg"],
  ["12X85g", "6.79", "6.66", "6,66\u00a0€/kg"],
  ["2X3l", "19.99", "3.33", "3,33\u00a0€/l"],
  ["2X1 L", "35.99", "18", "18,00\u00a0€/l"],
  ["5X65 ml", "2", "6.16", "6,16\u00a0€/l"],
  ["4x100ml", "8.39", "20.98", "20,98\u00a0€/l"],
  ["2X6ml", "2.79", "232.5", "232,50\u00a0€/l"],
  ["3X0.2L", "0.95", "1.58", "1,58\u00a0€/l"],
  ["6X45.6g", "5.49", "20.04", "20,04\u00a0€/kg"],
];

for (const [quantity, price, sent, expected] of listed)
  test(`a real ${quantity} for ${price} has the listed unit price`, (t) => {
    t.is(unitPrice(price, quantity, sent), expected);
    const calculated = Number(unitPrice(price, quantity).replace(",", ".").split("\u00a0")[0]);
    t.true(Math.abs(calculated / Number(sent) - 1) < 0.005, `${calculated}`);
  });
