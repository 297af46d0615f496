import test from "ava";
import { withBudget } from "../../../domain/expression/meter.ts";
import { hyphenated, sourceOf } from "../../../drawing/lines/hyphenate.ts";

const parted: [locale: string, text: string][] = [
  ["hr-HR", "šam·pi·njoni u sa·la·muri"],
  ["de-DE", "Wasch·mit·tel·kon·zen·trat"],
  ["hu-HU", "édes·ség·bolt"],
  ["pl-PL", "po·mi·dory kro·jone"],
  ["fi-FI", "pe·ru·na·muusi·hiu·ta·leet"],
  ["tr-TR", "çi·ko·la·talı gof·ret"],
  ["el-GR", "ελ·λη·νικό για·ούρτι"],
  ["cs-CZ", "pomazánkové máslo"],
  ["sr-RS", "помазанкове маслац"],
  ["fr-FR", "fram·boise na·tu·relle"],
  ["uk-UA", "вер·шкове масло"],
  ["ga-IE", "seac·láid phrátaí"],
  ["xx", "language without patterns"],
];

for (const [locale, text] of parted) {
  test(`${locale}: ${text}`, (t) => {
    t.is(hyphenated(text.replaceAll("·", ""), locale).replaceAll("\u00ad", "·"), text);
  });
}

test("no word is hyphenated after its first letter or before its last two letters", (t) => {
  const text = hyphenated("Abendessen Elefant Eisenbahner Ananasscheibe Uhrenarmband", "de-DE");
  t.notRegex(text, /\u00ad\p{L}{1,2}(?= |$)|(?<= |^)\p{L}\u00ad/u);
});

test("hyphenation costs a step of the drawing's budget for each character, charged in advance", (t) => {
  const text = "trgovina ".repeat(100);
  t.notThrows(() => withBudget("the drawing", 900, () => hyphenated(text, "hr-HR")));
  t.throws(() => withBudget("the drawing", 899, () => hyphenated(text, "hr-HR")), { name: "BudgetError" });
});

for (const language of ["cs", "lv", "mk", "ro", "sk", "sr"])
  test(`the patterns of ${language}, which may not be shipped, are used only if an operator has installed them`, (t) => {
    t.is(sourceOf(language), undefined);
    t.is(
      sourceOf(language, () => true),
      `hyphen-optional/${language}`,
    );
  });
