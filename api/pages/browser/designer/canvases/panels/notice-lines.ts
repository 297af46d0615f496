import type { Notice } from "../../../notice-text.ts";
import type { Texts } from "../../../texts.ts";
import type { ShownNotice } from "../trial/preview-shapes.ts";
import { said } from "./names.ts";

/** Returns a notice's sentence in the page's language; in English if the page does not know the notice yet. */
export function noticeLine({ code, values, reason, text: english }: ShownNotice, text: Texts): string {
  const because = reason && text(`notice.${reason.code}`, worded(reason, text));
  const known = text(`notice.${code}`, { ...worded({ code, values }, text), ...(because && { reason: because }) });
  return known || english;
}

/** Returns the values of a notice, with colours in the page's language. */
function worded({ values }: Notice, text: Texts): Record<string, string> {
  const { ink, paper, ...rest } = values;
  const named = (color: string) => said(text, `color.${color}`, color);
  return {
    ...rest,
    ...(ink !== undefined && { ink: named(ink) }),
    ...(paper !== undefined && { paper: named(paper) }),
  };
}
