import test from "ava";
import { personText } from "../../../../api/pages/browser/person-text.ts";
import { decimalsIn } from "../../../../api/pages/browser/prices/decimal-text.ts";
import { textsOf } from "../../../../api/pages/messages/texts.ts";

for (const [language, key, value, written] of [
  ["de", "notice.PRICE_LOW", "0.50", "0,50"],
  ["hr", "notice.PRICE_RISE", "-12.5", "-12,5"],
  ["de", "notice.UNIT_PRICE_WRONG", "11.960", "11,960"],
  ["en", "notice.PRICE_LOW", "0.50", "0.50"],
  ["de", "notice.PRICE_LOW", "5", "5"],
  ["de", "notice.PRICE_NOT_NUMBER", "1.5.0", "1.5.0"],
  ["de", "notice.ITEM_UNKNOWN", "0.50", "0.50"],
] as const) {
  test(`${language} writes ${value} in ${key} as ${written}`, (t) => t.is(decimalsIn(language)(key, value), written));
}

test("a message about prices writes decimals as the message's language does", (t) => {
  t.regex(textsOf("de")("notice.PRICE_LOW", { price: "0.10", least: "0.50" }), /0,10.*0,50/);
});

test("a token without a name is shown as such, with the beginning of its hash; everyone else is shown by name", (t) => {
  t.is(personText("signed X0_H9Zc5MDXSj_b9xBbZ", textsOf("de")), "Token X0_H9Z (ohne Namen)");
  t.is(personText("signed up", textsOf("de")), "signed up");
  t.is(personText("ana", textsOf("de")), "ana");
});
