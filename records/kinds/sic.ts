import { Sic } from "../../schemas/sic.ts";
import { recordKind } from "../kind.ts";

export const sics = recordKind("sic", Sic);
