import type { SectionOf } from "../section.ts";
import type { price as english } from "./en.ts";

/** Messages for changing a price on a label or an item, in Croatian. */
export const price: SectionOf<typeof english> = {
  "price.label": "Nova cijena",
  "price.send": "Promijeni cijenu",
  "price.refused": "„{value}” nije cijena. Upišite jedan broj, na primjer {example}.",
  "price.large": "Promijeniti cijenu s {from} na {to}?",
  "price.kept": "Cijena ostaje ista.",
  "price.sent": "Poslano. Etiketa upravo dobiva novu sliku.",
  "price.arrived": "Nova cijena je na etiketi.",
  "price.overtaken": "Netko je drugi promijenio cijenu na {price}.",
  "price.later":
    "Za ovaj artikl traje kampanja. Nova je cijena spremljena i vrijedi nakon nje; dotad etiketa pokazuje {price}.",
  "price.hidden": "Cijena je spremljena, ali etiketa umjesto nje prikazuje učitanu sliku.",
  "price.faulty": "Cijena je spremljena, ali je etiketa ne prikazuje: sliku nije bilo moguće nacrtati.",
  "price.waiting": "Etiketi treba dulje nego inače. Cijena je spremljena i stići će.",
};
