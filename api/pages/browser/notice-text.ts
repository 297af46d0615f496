import type { Texts } from "./texts.ts";

/** A report by the interface: its code, and the values in its sentence. */
export interface Notice {
  code: string;
  values: Readonly<Record<string, string>>;
}

/** An error response of the API. */
export interface Problem {
  type?: string;
  errors?: readonly { pointer: string; notice?: Notice }[];
  notice?: Notice;
}

/** Returns the sentence for a notice in the page's language; empty if the page has none. */
const sentenceOf = (notice: Notice | undefined, text: Texts): string =>
  notice === undefined ? "" : text(`notice.${notice.code}`, notice.values);

/**
 * Returns why a row was not applied, or was applied only partly. An outcome from an earlier release has only English sentences,
 * and one from a later release may have codes that this page does not know.
 */
export const rowReason = (
  { errors, notices = [] }: { errors: readonly string[]; notices?: readonly Notice[] },
  text: Texts,
): string => errors.map((english, index) => sentenceOf(notices[index], text) || english).join(" ");

/**
 * Returns why the interface rejected a call: the faults of fields, each with the field's name on the page, or, without
 * such faults, the reason for the call as a whole. Empty if the page has no sentence for it.
 */
export function refusalReason(
  { type = "", errors = [], notice }: Problem,
  text: Texts,
  fieldName: (pointer: string) => string | undefined,
): string {
  const faults = errors.map((fault) => {
    const reason = sentenceOf(fault.notice, text);
    const field = fieldName(fault.pointer);
    return reason === "" || field === undefined ? reason : text("refusal.field", { field, reason });
  });
  if (faults.length > 0 && !faults.includes("")) return [...new Set(faults)].join(" ");
  return sentenceOf(notice, text) || text(`refusal.${type.slice(type.lastIndexOf("/") + 1)}`);
}
