import { CommunicationPack } from "../../schemas/design.ts";
import { recordKind } from "../kind.ts";

export const communicationPacks = recordKind("communicationpack.v1", CommunicationPack);
