import type { SectionOf } from "../section.ts";
import type { law as english } from "./en.ts";

/** Messages about findings of the law checks, in Croatian. */
export const law: SectionOf<typeof english> = {
  "law.title": "Zakon",
  "law.hint": {
    one: "Prema zakonu države trgovine, u njezinim dizajnima i u {count} artiklu. Ne zamjenjuje savjet odvjetnika.",
    few: "Prema zakonu države trgovine, u njezinim dizajnima i u {count} artikla. Ne zamjenjuje savjet odvjetnika.",
    other: "Prema zakonu države trgovine, u njezinim dizajnima i u {count} artikala. Ne zamjenjuje savjet odvjetnika.",
  },
  "law.more": { one: "i još {count}", few: "i još {count}", other: "i još {count}" },
  "law.check.PRIOR_PRICE": "Sniženje je prikazano bez najniže cijene u posljednjih 30 dana",
  "law.check.PERCENT_BASE": "Postotak nije izračunan od najniže cijene u posljednjih 30 dana",
  "law.check.STRUCK_PRICE": "Prekrižena cijena nije najniža cijena u posljednjih 30 dana",
  "law.check.UNIT_PRICE": "Cijena je prikazana bez jedinične cijene",
  "law.check.LOYALTY_PRICE": "Cijena za članove prikazana je bez cijene za sve",
  "law.check.LOYALTY_CONDITION": "Uz cijenu za članove ne piše tko je dobiva",
  "law.check.DEPOSIT_APART": "Povratna naknada uračunana je u cijenu",
  "law.check.DEPOSIT_SHOWN": "Povratna naknada nije prikazana",
  "law.check.LEGIBLE_SIZE": "Cijena je manja od 3 mm",
  "law.check.LEGIBLE_CONTRAST": "Cijena se slabo razlikuje od pozadine",
  "law.check.SENT_PRIOR_PRICE": "Poslana najniža cijena u 30 dana previsoka je",
  "law.check.NO_REDUCTION": "Snižena cijena nije niža od najniže cijene u posljednjih 30 dana",
  "law.check.QUANTITY": "Nedostaje količina za jediničnu cijenu",
  "law.check.METRIC": "Količina nije metrička",
  "law.check.UNIT_OF_UNIT_PRICE": "Jedinične cijene nisu po kilogramu ili litri",
};
