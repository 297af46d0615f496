import { CommunicationPack } from "../../schemas/design.ts";
import { recordKind } from "../kind.ts";

export const communicationPacks = recordKind("communicationpack.v1", CommunicationPack, {
  // Only the packs whose scenarios have validity periods.
  indexes: [{ keys: { periodEnds: 1 }, sparse: true }],
});
