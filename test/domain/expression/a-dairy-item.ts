import type { Variables } from "../../../domain/expression/expression.ts";

/** An expression's variables for the link of a dairy item. */
export const variables: Variables = {
  item: {
    brand: "Dukat",
    price: "12.50",
    stock: "3",
    blank: "",
    words: "ask us",
    priceKind: "special",
    "unit.price": "2.58",
  },
  link: { location: "aisle 4", facings: 3n },
  device: { type: 1328n },
};
