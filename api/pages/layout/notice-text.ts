import type { DrawingNotice } from "../../../schemas/drawing-notice.ts";
import { type Html, html } from "../html/html.ts";
import { en, type Key } from "../messages/en.ts";
import type { Texts } from "../messages/texts.ts";

/**
 * What drawing reported, in the page's language by its code. A picture of an earlier release has only the English
 * sentence, and one of a later release may have a code that this one does not know.
 */
export function noticeText(notice: DrawingNotice | undefined, english: string, texts: Texts): Html {
  const sentence = notice && sentenceOf(notice, texts);
  return sentence === undefined
    ? html`<span class="technical" lang="en">${english}</span>`
    : html`<span>${sentence}</span>`;
}

/** Undefined if a code is unknown. */
function sentenceOf({ code, values, reason }: DrawingNotice, texts: Texts): string | undefined {
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
