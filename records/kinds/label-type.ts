import { LabelType } from "../../schemas/tenant.ts";
import { recordKind } from "../kind.ts";

export const labelTypes = recordKind("labeltype", LabelType);
