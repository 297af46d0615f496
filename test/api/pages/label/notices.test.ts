import test from "ava";
import { noticeText as shownText } from "../../../../api/pages/layout/notice-text.ts";
import { type Language, languages, messages, textsOf } from "../../../../api/pages/messages/texts.ts";
import {
  type DrawingNotice,
  type NoticeCode,
  notice,
  noticeText,
  noticeTexts,
} from "../../../../schemas/drawing-notice.ts";

const codes = Object.keys(noticeTexts) as NoticeCode[];
const valuesIn = (text: string): string[] => [...new Set(text.match(/\{(\w+)\}/g) ?? [])].sort();
const plain = (text: string) => text.replace(/<[^>]*>/g, "").replaceAll("&quot;", '"');

test("each message of a notice uses only the values of its English sentence", (t) => {
  for (const language of Object.keys(languages) as Language[])
    for (const code of codes) {
      const message = messages[language][`notice.${code}`];
      const texts = typeof message === "string" ? [message] : Object.values(message);
      const known = valuesIn(noticeTexts[code]);
      for (const text of texts)
        t.deepEqual(
          valuesIn(text).filter((value) => !known.includes(value)),
          [],
          `${language} ${code}`,
        );
    }
});

const shown: [language: Language, notice: DrawingNotice, english: string, text: string][] = [
  [
    "de",
    notice("TEXT_CUT", { text: "Domaći kruh", size: 16 }),
    '"Domaći kruh" is cut: it does not fit at 16 pixels',
    "„Domaći kruh“ ist abgeschnitten: Der Platz reicht nicht.",
  ],
  [
    "hr",
    notice("CODE_CHECK_DIGIT", { text: "3850334020803", kind: "EAN-13", expected: 2, digit: 3 }),
    '"3850334020803" is not a valid EAN-13: its check digit must be 2, not 3',
    "„3850334020803” nije valjan EAN-13: kontrolna znamenka trebala bi biti 2, a ne 3. Provjerite kod.",
  ],
  [
    "de",
    notice("HARD_TO_READ", { text: "1,99", ink: "yellow", paper: "white", contrast: "1.1", least: 3 }),
    '"1,99" is hard to read: yellow on white has a contrast of 1.1 on e-paper, but legible text needs 3',
    "„1,99“ ist schwer zu lesen: Gelb auf Weiß.",
  ],
  [
    "hr",
    notice("NO_VALUE_BECAUSE", { expression: "quantity(item.size)", reason: notice("NO_UNIT", { text: "12" }) }),
    '${quantity(item.size)} has no value: "12" has no unit',
    "Nedostaje vrijednost: quantity(item.size). „12” nema mjernu jedinicu.",
  ],
  [
    "de",
    notice("LEFT_OUT", { reason: notice("OUTSIDE", { text: "Kruh" }) }),
    '"Kruh" lies outside the label: it is left out',
    "„Kruh“ liegt außerhalb des Etiketts. Es wird weggelassen.",
  ],
  [
    "en",
    notice("IMAGE_FAULTY", { name: "logo", reason: "it cannot be decoded: no PNG" }),
    'the image "logo" cannot be used: it cannot be decoded: no PNG',
    "The picture “logo” cannot be used: it cannot be decoded: no PNG",
  ],
];
for (const [language, one, english, text] of shown)
  test(`a notice is English for callers and in the page's language for people: ${language} ${one.code}`, (t) => {
    t.is(noticeText(one), english);
    t.is(plain(shownText(one, english, textsOf(language)).text), text);
  });

test("a picture from an earlier release and a code from a later one show the English sentence, marked as such", (t) => {
  const later = { code: "LATER" as NoticeCode, values: {} };
  const because: DrawingNotice = { code: "LEFT_OUT", values: {}, reason: later };
  for (const one of [undefined, later, because])
    t.is(
      shownText(one, '"Kruh" is cut', textsOf("hr")).text,
      '<span class="technical" lang="en">&quot;Kruh&quot; is cut</span>',
    );
});
