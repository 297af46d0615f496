import { Label } from "../../schemas/label.ts";
import { recordKind } from "../kind.ts";

export const labels = recordKind("storeesl.v1", Label, { toldFields: Object.keys(Label.properties) });
