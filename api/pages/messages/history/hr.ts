import type { SectionOf } from "../section.ts";
import type { history as english } from "./en.ts";

/** Messages that say why a picture or an action did not reach its label, by notice code, in Croatian. */
export const history: SectionOf<typeof english> = {
  "notice.NO_REPORT": "Etiketa nije potvrdila primitak (broj pokušaja: {tries}).",
  "notice.ORDER_LATE": "Slanje nije uspjelo u roku od {seconds} s.",
  "notice.ORDER_REPLACED": "Zamijenila ju je novija radnja.",
};
