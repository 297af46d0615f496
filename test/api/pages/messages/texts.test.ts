import { readdir, readFile } from "node:fs/promises";
import test from "ava";
import { priceText } from "../../../../api/pages/browser/prices/price-text.ts";
import { Html, html } from "../../../../api/pages/html/html.ts";
import { durationText, timeText } from "../../../../api/pages/layout/time-text.ts";
import type { Key } from "../../../../api/pages/messages/en.ts";
import { type Language, languages, messages, textsOf } from "../../../../api/pages/messages/texts.ts";
import { causeNames } from "../../../../schemas/explanation.ts";

const names = Object.keys(languages) as Language[];
const keys = Object.keys(messages.en) as Key[];
const formsOf = (language: Language, key: Key): string[] => {
  const message = messages[language][key];
  return typeof message === "string" ? [message] : Object.values(message);
};
const valuesIn = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

test("each language has every message with the same values", (t) => {
  for (const language of names) {
    t.deepEqual(Object.keys(messages[language]).sort(), [...keys].sort(), language);
    for (const key of keys) {
      const wanted = [...new Set(formsOf("en", key).flatMap(valuesIn))].sort();
      for (const text of formsOf(language, key)) {
        t.true(text.trim() !== "", `${language} ${key}`);
        t.true(
          valuesIn(text).every((value) => wanted.includes(value)),
          `${language} ${key}: ${text}`,
        );
      }
    }
  }
});

test("a counted message has every form that its language needs", (t) => {
  for (const language of names) {
    const forms = new Set(Array.from({ length: 200 }, (_, count) => new Intl.PluralRules(language).select(count)));
    for (const key of keys) {
      const message = messages[language][key];
      if (typeof message === "string") continue;
      for (const form of forms) t.true(form in message, `${language} ${key} ${form}`);
    }
  }
});

test("a plural form that covers several numbers contains the number", (t) => {
  for (const language of names) {
    const rules = new Intl.PluralRules(language);
    const shared = Map.groupBy(
      Array.from({ length: 200 }, (_, count) => count),
      (count) => rules.select(count),
    );
    for (const key of keys) {
      const message = messages[language][key];
      if (typeof message === "string") continue;
      for (const [form, text] of Object.entries(message))
        if ((shared.get(form as Intl.LDMLPluralRule)?.length ?? 0) > 1)
          t.true(text.includes("{count}"), `${language} ${key} ${form}: ${text}`);
    }
  }
});

test("no message names a record kind, a queue or a key", (t) => {
  const technical =
    /\.v\d|\b(?:studiolink|designerlink|storeesl|eslimage|evaluator|renderer|merger|transmitter|BullMQ|MongoDB|Redis)\b/i;
  for (const language of names)
    for (const key of keys)
      for (const text of formsOf(language, key)) t.notRegex(text, technical, `${language} ${key}`);
});

test("every cause of an explanation has a message", (t) => {
  for (const cause of causeNames) t.true(`cause.${cause}` in messages.en, cause);
});

test("no page contains text outside the messages", async (t) => {
  const root = new URL("../../../../api/", import.meta.url);
  const files = [
    ...(await readdir(new URL("pages/", root), { recursive: true })).map((name) => `pages/${name}`),
    "session/login-page.ts",
  ];
  for (const name of files.filter((file) => file.endsWith(".ts") && !file.includes("/browser/"))) {
    for (const template of templatesOf(await readFile(new URL(name, root), "utf8"))) {
      if (ATTRIBUTE.test(template)) continue;
      t.notRegex(template, /(?:alt|title|placeholder|aria-label)="[^"]*\p{L}/u, name);
      const text = template.replace(/<[^>]*>/gs, " ");
      t.notRegex(text, /\p{L}/u, `${name}: ${text.trim()}`);
    }
  }
});

/** A template that is an attribute, such as ` selected`. */
const ATTRIBUTE = /^ [a-z-]+(?:="[^"]*")?$/;

/** Returns the fixed parts of each `html` template of a source, with a blank in place of each value. */
function templatesOf(source: string): string[] {
  const found: string[] = [];
  const readCode = (start: number): number => {
    let depth = 0;
    for (let at = start; at < source.length; at += 1) {
      const character = source[at];
      if (source.startsWith("//", at)) at = source.indexOf("\n", at);
      else if (source.startsWith("/*", at)) at = source.indexOf("*/", at) + 1;
      else if (character === '"') at = source.slice(at + 1).search(/(?<!\\)"/) + at + 1;
      else if (character === "`") at = readTemplate(at + 1, source.slice(at - 4, at) === "html");
      else if (character === "{") depth += 1;
      else if (character === "}") {
        if (depth === 0) return at;
        depth -= 1;
      }
    }
    return source.length;
  };
  const readTemplate = (start: number, isHtml: boolean): number => {
    let text = "";
    let at = start;
    for (; source[at] !== "`"; at += 1) {
      if (source.startsWith("${", at)) {
        at = readCode(at + 2);
        text += " ";
      } else {
        text += source[at];
        if (source[at] === "\\") at += 1;
      }
    }
    if (isHtml) found.push(text);
    return at;
  };
  readCode(0);
  return found;
}

test("a value is escaped wherever it appears, and only a template is HTML", (t) => {
  const value = `<script>"'&`;
  t.is(
    html`<p title="${value}">${value}</p>`.text,
    '<p title="&lt;script&gt;&quot;&#39;&amp;">&lt;script&gt;&quot;&#39;&amp;</p>',
  );
  t.is(html`${[html`<b>`, value]}${false}${null}${undefined}${0}`.text, "<b>&lt;script&gt;&quot;&#39;&amp;0");
  t.true(html`` instanceof Html);
});

test("counts use the language's plural forms, and times the store's zone", (t) => {
  const hr = textsOf("hr");
  t.deepEqual(
    [1, 3, 5, 21].map((count) => hr("labels.count", { count })),
    ["1 etiketa", "3 etikete", "5 etiketa", "21 etiketa"],
  );
  const now = new Date("2026-03-02T23:30:00Z");
  t.is(timeText("2026-03-03T00:15:30.000+01:00", "de", now), "00:15", "the date is the store's");
  t.regex(timeText("2026-03-02T23:15:30.000+01:00", "de", now), /2\. März.*23:15/);
  t.is(durationText(4.26, "en"), "4.3 sec");
  t.is(durationText(180, "de"), "3 Min.");
});

test("a price shows its currency and the decimals that were sent; text that is not a number is unchanged", (t) => {
  const plain = (text: string) => text.replace(/\s/g, " ");
  t.is(plain(priceText("1.49", "EUR", "de")), "1,49 €");
  t.is(plain(priceText("1.50", "EUR", "hr")), "1,50 €");
  t.is(plain(priceText("12345.6", "JPY", "en")), "¥12,345.6");
  t.is(plain(priceText("2", "EUR", "en")), "€2");
  for (const odd of ["2 for 3", "1,49", "", "1e3", "1.", "0x1f"]) t.is(priceText(odd, "EUR", "en"), odd);
  t.is(priceText("1.49", undefined, "de"), "1,49", "a session that may not read the currency");
});

test("the pages use the names that the staff guides print in bold in that language", async (t) => {
  for (const language of names) {
    const guide = await readFile(new URL(`../../../../docs/shop/${language}.md`, import.meta.url), "utf8");
    const named = [...guide.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = ""]) => name);
    const known = new Set(keys.flatMap((key) => formsOf(language, key)));
    t.deepEqual(
      [...new Set(named)].filter((name) => !known.has(name)),
      [],
      language,
    );
    t.true(named.length > 10, language);
  }
});
