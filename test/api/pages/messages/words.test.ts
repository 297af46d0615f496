import { readFile } from "node:fs/promises";
import test from "ava";
import type { Key } from "../../../../api/pages/messages/en.ts";
import { type Language, messages as messagesOfPages } from "../../../../api/pages/messages/texts.ts";
import { mailMessages } from "../../../../domain/notifications/texts/texts.ts";

interface Row {
  term: string;
  /** The term in a language: any of these alternatives, each of one or more words. */
  forms: Readonly<Record<Language, readonly string[][]>>;
  /** Rejected words for the term. */
  rejected: Readonly<Record<Language, readonly string[]>>;
}

/** The text that people read on pages and in e-mails. */
const messages = {
  en: { ...messagesOfPages.en, ...mailMessages.en },
  de: { ...messagesOfPages.de, ...mailMessages.de },
  hr: { ...messagesOfPages.hr, ...mailMessages.hr },
};
const keys = Object.keys(messages.en) as Key[];
const textOf = (language: Language, key: Key): string => {
  const message = messages[language][key];
  const forms: string[] = typeof message === "string" ? [message] : Object.values(message);
  return forms.map((form) => form.replace(/\{\w+\}/g, "…")).join(" | ");
};

const rows = await readRows();
/** Longer terms come before the terms that they contain: a label server is not a label. */
const longestFirst = [...rows].sort((a, b) => b.term.length - a.term.length);

async function readRows(): Promise<Row[]> {
  const document = await readFile(new URL("../../../../docs/words.md", import.meta.url), "utf8");
  const lines = document.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(1).map((line): Row => {
    const [term = "", de = "", hr = "", , not = ""] = line
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    const formsOf = (cell: string) => cell.split("/").map((form) => form.trim().split(" ").map(stemOf));
    const rejectedIn = (language: Language) =>
      not
        .split(";")
        .map((part) => part.trim())
        .filter((part) => part.startsWith(`${language} `))
        .flatMap((part) =>
          part
            .slice(3)
            .split(",")
            .map((word) => stemOf(word.trim())),
        );
    return {
      term,
      forms: { en: [[term]], de: formsOf(de), hr: formsOf(hr) },
      rejected: { en: rejectedIn("en"), de: rejectedIn("de"), hr: rejectedIn("hr") },
    };
  });
}

/** Returns the part of a word that all of its forms share. */
function stemOf(word: string): string {
  return (word.split("·", 1)[0] ?? "").toLowerCase();
}

/** Returns the terms in an English message. */
function termsIn(text: string): Row[] {
  let rest = text.toLowerCase();
  return longestFirst.filter(({ term }) => {
    const before = rest;
    rest = rest.replaceAll(new RegExp(`\\b${term}(?:s|es|ed|ing)?\\b`, "g"), "…");
    return rest !== before;
  });
}

/** Returns the words of a message, which may use letters of any language. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}-]+/gu) ?? [];
const hasWord = (text: string, stem: string): boolean =>
  stem.includes(" ") ? text.toLowerCase().includes(stem) : wordsOf(text).some((word) => word.startsWith(stem));
/** Searches inside words, since German joins words and a term may be part of a longer word. */
const hasTerm = (text: string, forms: readonly string[][]): boolean =>
  forms.some((stems) => stems.every((stem) => text.toLowerCase().includes(stem)));

/** Returns the faults in the words of a translated message. */
function faultsOf(language: Language, english: string, translated: string): string[] {
  return termsIn(english).flatMap(({ term, forms, rejected }) => [
    ...(hasTerm(translated, forms[language]) ? [] : [`has no word for "${term}"`]),
    ...rejected[language].filter((word) => hasWord(translated, word)).map((word) => `says "${word}" for "${term}"`),
  ]);
}

test("the list of words is short, and the pages use each of them", (t) => {
  t.true(rows.length >= 30 && rows.length <= 50, `${rows.length} words`);
  t.deepEqual(new Set(rows.map(({ term }) => term)).size, rows.length);
  const used = new Set(keys.flatMap((key) => termsIn(textOf("en", key)).map(({ term }) => term)));
  t.deepEqual(
    rows.map(({ term }) => term).filter((term) => !used.has(term)),
    [],
  );
});

for (const language of ["de", "hr"] as const)
  test(`a message uses the listed word for each English term and no rejected word: ${language}`, (t) => {
    const faults = keys.flatMap((key) => {
      const text = textOf(language, key);
      return faultsOf(language, textOf("en", key), text).map((fault) => `${key}: "${text}" ${fault}`);
    });
    t.deepEqual(faults, []);
  });

test("an English message contains no rejected word", (t) => {
  const rejected = rows.flatMap((row) => row.rejected.en);
  for (const key of keys) {
    const text = textOf("en", key);
    t.deepEqual(
      rejected.filter((word) => wordsOf(text).includes(word) || (word.includes(" ") && text.includes(word))),
      [],
      `${key}: ${text}`,
    );
  }
});

test("a message with a different or rejected word is found", (t) => {
  t.deepEqual(faultsOf("de", "Unlink this label?", "Schild trennen?"), [
    'has no word for "unlink"',
    'says "trenn" for "unlink"',
    'has no word for "label"',
    'says "schild" for "label"',
  ]);
  t.deepEqual(faultsOf("hr", "Its label server", "Njegova etiketa"), ['has no word for "label server"']);
  t.deepEqual(faultsOf("hr", "2 scheduled changes", "2 planirane promjene"), [
    'has no word for "scheduled change"',
    'says "planiran" for "scheduled change"',
  ]);
});
