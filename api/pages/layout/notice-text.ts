import type { Notice } from "../../../schemas/notice.ts";
import { type Html, html } from "../html/html.ts";
import { en, type Key } from "../messages/en.ts";
import type { Texts } from "../messages/texts.ts";

/** A notice, and its reason if the reason has its own code. */
interface ReasonedNotice extends Notice {
  reason?: Notice | undefined;
}

/**
 * Shows a notice in the page's language, by its code. A record from an earlier release has only the English sentence, and
 * one from a later release may have a code that this one does not know.
 */
export function noticeText(notice: ReasonedNotice | undefined, english: string, texts: Texts): Html {
  const sentence = notice && sentenceOf(notice, texts);
  return sentence === undefined
    ? html`<span class="technical" lang="en">${english}</span>`
    : html`<span>${sentence}</span>`;
}

/** Returns undefined if a code is unknown. */
function sentenceOf({ code, values, reason }: ReasonedNotice, texts: Texts): string | undefined {
  const key = `notice.${code}`;
  const because = reason && sentenceOf(reason, texts);
  if (!isKey(key) || (reason && because === undefined)) return undefined;
  const { ink = "", paper = "" } = values;
  return texts(key, {
    ...values,
    ...(ink && { ink: colorIn(ink, texts), paper: colorIn(paper, texts) }),
    ...(because && { reason: because }),
  });
}

const colorIn = (color: string, texts: Texts): string => {
  const key = `color.${color}`;
  return isKey(key) ? texts(key) : color;
};

const isKey = (key: string): key is Key => Object.hasOwn(en, key);
