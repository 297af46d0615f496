import { LabelServer } from "../../schemas/tenant.ts";
import { recordKind } from "../kind.ts";

export const labelServers = recordKind("labelserver", LabelServer);
