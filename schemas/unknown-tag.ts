import { type Static, Type } from "typebox";
import { BatteryState } from "./label.ts";
import { TypeNumber } from "./label-type.ts";
import { known } from "./text.ts";

/** A tag as its access point lists it. */
export interface SeenTag {
  /** MAC address, 16 hexadecimal digits. */
  device: string;
  /** Number of the hardware, two hexadecimal digits. */
  hardwareType: string;
  /** Epoch milliseconds; absent if the access point has not heard the tag since the access point started. */
  lastSeen?: number;
  battery?: "OK" | "LOW";
  batteryMillivolts?: number;
}

/** A tag that an access point lists but that no label of its stores names. */
export const UnknownTag = Type.Object(
  {
    device: Type.String({
      description: "MAC address of the tag, for the field `device` of a new label",
      examples: ["00000218D6C53B19"],
    }),
    hardwareType: Type.String({ description: "Number of the tag's hardware type, in hex", examples: ["33"] }),
    name: known(
      Type.String({
        description: "Name in the label catalogue; null if the catalogue lacks it",
        examples: ['M3 2.9"'],
      }),
    ),
    labelTypes: Type.Array(TypeNumber, {
      description: "The tenant's label types for this hardware",
      examples: [[100_051]],
    }),
    lastSeen: known(
      Type.String({ description: "When it was last heard, in UTC", examples: ["2026-03-02T08:15:30.000Z"] }),
    ),
    batteryState: BatteryState,
    batteryMillivolts: known(
      Type.Integer({ description: "Voltage of the battery, as last reported", examples: [2950] }),
    ),
  },
  { title: "UnknownTag" },
);
export type UnknownTag = Static<typeof UnknownTag>;
