import { type Static, Type } from "typebox";
import { type CommunicationPack, Scenario } from "../../../schemas/design.ts";
import { idOf } from "../../../schemas/keys.ts";
import { exampleScenarios } from "../../../schemas/pack.ts";
import type { Stored } from "../../../schemas/record.ts";

/** A communication pack in a response. */
export const PackAnswer = Type.Object(
  {
    packId: Type.String({ description: "Id of the communication pack" }),
    active: Type.Boolean({ description: "Whether this pack chooses the designs of the tenant's links" }),
    name: Type.String({ description: "Display name" }),
    scenarios: Type.Array(Scenario, {
      description: "Evaluated in order, children before their parent",
      examples: [exampleScenarios],
    }),
  },
  { title: "CommunicationPack" },
);
export type PackAnswer = Static<typeof PackAnswer>;

export const packAnswer = (
  { _id, name, scenarios }: Stored<CommunicationPack>,
  activeKey: string | undefined,
): PackAnswer => ({ packId: idOf(_id), active: _id === activeKey, name, scenarios });
