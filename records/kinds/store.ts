import { Store } from "../../schemas/tenant.ts";
import { recordKind } from "../kind.ts";

export const stores = recordKind("store", Store, {
  // Only the stores that name a label server.
  indexes: [{ keys: { labelServer: 1 }, sparse: true }],
});
