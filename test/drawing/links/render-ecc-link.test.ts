import test from "ava";
import { eccHints } from "../../../drawing/links/ecc-hints.ts";
import { encodePng } from "../../../drawing/pixels/png.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import { demoStore, labelTypes } from "../../../scripts/demo/catalogue.ts";
import { casesToTry } from "../../harness/searches/effort.ts";
import { readCode } from "../codes/read-codes.ts";
import { colorsIn, told } from "../drawing.ts";
import { eccItem, fullModels, renderEcc } from "./ecc-links.ts";

const typeOf = (wanted: number): LabelType => labelTypes.find(({ type }) => type === wanted) as LabelType;
const red = typeOf(1328);
const segments = typeOf(1210);

for (const [model, parameters] of fullModels) {
  for (const labelType of labelTypes.filter(({ display }) => display === "matrix")) {
    test(`${model} is drawn on label type ${labelType.type} with every hint and without a fault or warning`, (t) => {
      for (const accent of eccHints.accent)
        for (const code of eccHints.code)
          for (const inverted of eccHints.inverted) {
            const hints = { accent, code, inverted };
            const { isEmpty, fault, errors, warnings, picture } = renderEcc(labelType, model, parameters, hints);
            t.deepEqual(
              { isEmpty, fault, errors, warnings },
              { isEmpty: false, fault: undefined, errors: [], warnings: [] },
            );
            t.true(colorsIn(picture).length >= 2);
          }
    });
  }
}

/** Locales of all languages with words for the lowest price, each with its currency. */
const locales: [locale: string, currency: string][] = [
  ...["cs-CZ CZK", "da-DK DKK", "hu-HU HUF", "pl-PL PLN", "ro-RO RON", "sr-RS RSD", "sr-Cyrl-RS RSD", "sv-SE SEK"],
  ...["tr-TR TRY", "uk-UA UAH", "bg-BG EUR", "de-DE EUR", "el-GR EUR", "en-IE EUR", "es-ES EUR", "et-EE EUR"],
  ...["fi-FI EUR", "fr-FR EUR", "ga-IE EUR", "hr-HR EUR", "it-IT EUR", "lt-LT EUR", "lv-LV EUR", "mt-MT EUR"],
  ...["nl-NL EUR", "pt-PT EUR", "sk-SK EUR", "sl-SI EUR"],
].map((text) => text.split(" ") as [string, string]);
/** A square of 152 pixels has no space for two prices of five digits side by side. */
const SMALL = 200;

for (const labelType of labelTypes.filter(({ display }) => display === "matrix")) {
  test(`on label type ${labelType.type} an offer has every legally required part in every language`, (t) => {
    // Whatever fits with the longest price fits with the others.
    const prices = ["0.99", labelType.width > SMALL ? "12345.00" : "129.99"];
    for (const [locale, currency] of casesToTry(t, locales, { size: 8, seed: labelType.type }, "locales"))
      for (const price of prices) {
        const properties = eccItem.properties.map((one) =>
          one.key === "unitPrice" || one.key === "lowestPrice30" ? { ...one, value: price } : one,
        );
        const change = { item: { ...eccItem, price, properties }, store: { ...demoStore, locale, currency } };
        const { fault, errors } = renderEcc(labelType, "offer", { banner: "-20 %", formerPrice: price }, {}, change);
        t.deepEqual({ fault, errors }, { fault: undefined, errors: [] }, `${price} in ${locale}`);
      }
  });
}

test("the code on a price tag is readable", async (t) => {
  const png = encodePng(renderEcc(red, "price-tag").picture);
  t.is((await readCode(png, "EAN13", { hasMore: true })).text, "3850102123452");
});

test("the address on a notice is readable", async (t) => {
  const png = encodePng(renderEcc(red, "notice", { title: "Gluten", address: "https://example.com/a/7" }).picture);
  t.is((await readCode(png, "QRCode", { hasMore: true })).text, "https://example.com/a/7");
});

test("a parameter replaces the item's value and is never treated as an expression", (t) => {
  const plain = renderEcc(red, "price-tag").picture;
  t.notDeepEqual(renderEcc(red, "price-tag", { price: "9.99" }).picture, plain);
  t.deepEqual(renderEcc(red, "price-tag", { price: "1.99" }).picture, plain);
  t.notDeepEqual(renderEcc(red, "price-tag", { title: "${item.itemName}" }).picture, plain);
});

test("a different price of the item results in a different picture", (t) => {
  const { picture } = renderEcc(red, "offer", { banner: "A" });
  t.notDeepEqual(
    renderEcc(red, "offer", { banner: "A" }, {}, { item: { ...eccItem, price: "2.99" } }).picture,
    picture,
  );
});

test("an accent in a colour that the label lacks is black", (t) => {
  const banner = { banner: "A" };
  t.true(colorsIn(renderEcc(red, "offer", banner).picture).includes("red"));
  t.deepEqual(colorsIn(renderEcc(red, "offer", banner, { accent: "yellow" }).picture), ["black", "white"]);
});

test("a price tag on segments shows its price", (t) => {
  t.is(renderEcc(segments, "price-tag").text?.trim(), "1,99");
});

const faults: [rule: string, render: () => ReturnType<typeof renderEcc>, detail: RegExp][] = [
  [
    "the model is unknown",
    () => renderEcc(red, "m1"),
    /ECC model "m1" does not exist: the models are price-tag, offer, notice/,
  ],
  [
    "a required parameter of the model is missing",
    () => renderEcc(red, "offer"),
    /offer requires the parameter banner/,
  ],
  ["segments cannot show the model", () => renderEcc(segments, "notice", { title: "A" }), /segment labels cannot show/],
  [
    "text that must be complete does not fit",
    () => renderEcc(red, "offer", { banner: "A".repeat(400) }),
    /does not fit/,
  ],
];

for (const [rule, render, detail] of faults) {
  test(`a label shows its background and has a fault if ${rule}`, (t) => {
    const { picture, isEmpty, fault } = render();
    t.deepEqual(colorsIn(picture), ["white"]);
    t.false(isEmpty);
    t.is(fault?.reason, "DRAWING_FAILED");
    t.regex(fault?.detail ?? "", detail);
  });
}

test("unknown parameters and hints cause warnings and change nothing", (t) => {
  const { picture, warnings } = told(renderEcc(red, "price-tag", { colour: "x" }, { accent: "pink", size: "1" }));
  t.deepEqual(picture, renderEcc(red, "price-tag").picture);
  t.deepEqual(
    warnings.map((warning) => warning.split(":")[0]),
    [
      'the ECC model price-tag has no parameter "colour"',
      'the rendering hint "accent" must be one of red, yellow, black, not "pink"',
      'the rendering hint "size" is unknown',
    ],
  );
});

test("an inactive link and a link without its item are empty positions", (t) => {
  const { picture: _, ...rest } = renderEcc(red, "price-tag", {}, {}, { item: undefined });
  t.deepEqual(rest, { isEmpty: true, errors: [], warnings: [] });
});
