import type { Rendering } from "../../../drawing/links/render-link.ts";
import { noticeText } from "../../../schemas/drawing-notice.ts";

/** The errors and warnings about a picture. */
export type Reported = Pick<Rendering<unknown>, "fault" | "errors" | "warnings">;

/**
 * Returns the errors and warnings about a picture that the previous one did not have. Numbers are ignored: if text was drawn at
 * 12 pixels instead of 14, the same notice with 11 pixels is not new.
 */
export function newNotices(before: Reported, after: Reported): string[] {
  const known = new Map<string, number>();
  for (const message of messagesOf(before)) known.set(formOf(message), (known.get(formOf(message)) ?? 0) + 1);
  return messagesOf(after).filter((message) => {
    const left = known.get(formOf(message)) ?? 0;
    known.set(formOf(message), left - 1);
    return left <= 0;
  });
}

const messagesOf = ({ fault, errors, warnings }: Reported): string[] => [
  ...(fault ? [fault.detail] : []),
  ...errors.map(noticeText),
  ...warnings.map(noticeText),
];

const formOf = (message: string): string => message.replace(/\d+/g, "0");
