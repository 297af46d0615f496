import { Store } from "../../schemas/tenant.ts";
import { recordKind } from "../kind.ts";

export const stores = recordKind("store", Store);
