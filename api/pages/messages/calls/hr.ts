import type { SectionOf } from "../section.ts";
import type { calls as english } from "./en.ts";

/** Messages about failed calls to other systems, by notice code, in Croatian. */
export const calls: SectionOf<typeof english> = {
  "notice.RECEIVER_ANSWERED": "Drugi je sustav odgovorio statusom {status}.",
  "notice.RECEIVER_SILENT": "Drugi sustav nije odgovorio ({fault}).",
  "notice.RECEIVER_GONE": "Drugi sustav više ne želi primati događaje.",
  "notice.RECEIVER_PRIVATE": "Naziv u adresi vodi u privatnu mrežu, koju Shelfwire ne smije pozivati.",
  "notice.RECEIVER_BEHIND": "Čekalo je previše događaja (za ovaj sustav: {count}).",
  "notice.ADDRESS_PRIVATE": "{host} je u privatnoj mreži, koju Shelfwire ne smije pozivati.",
  "notice.SERVER_ANSWERED": "Poslužitelj etiketa odgovorio je statusom {status}.",
  "notice.SERVER_SILENT": "Poslužitelj etiketa nije odgovorio ({fault}).",
  "notice.SERVER_DENIES_LABEL": "Poslužitelj etiketa odbija samo ovu etiketu (status {status}).",
  "notice.SERVER_DENIES": "Poslužitelj etiketa odbija tajni ključ (status {status}).",
};
