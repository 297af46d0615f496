import { Store } from "../../schemas/tenant.ts";
import { recordKind } from "../kind.ts";

/** The fields that pictures are drawn from. Their values are the input of a picture: other changes of a store draw nothing. */
export const drawnFields = [
  "name",
  "timeZone",
  "currency",
  "locale",
  "parameters",
] as const satisfies readonly (keyof Store)[];

export const stores = recordKind("store", Store, {
  // Only the stores that name a label server.
  indexes: [{ keys: { labelServer: 1 }, sparse: true }],
});
