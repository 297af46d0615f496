import { Model } from "../../schemas/tenant.ts";
import { recordKind } from "../kind.ts";

export const models = recordKind("model", Model);
