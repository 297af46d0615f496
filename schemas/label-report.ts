import { type Static, Type } from "typebox";
import { Press, Sensors } from "./label-signals.ts";

/**
 * A report from a label server, sent in batches to POST /label-server/v1/reports. `store` is the `Store` header of the call for
 * the label.
 */
export const LabelReport = Type.Object(
  {
    store: Type.String({ pattern: "^t/[A-Za-z0-9_-]{1,64}/s/[A-Za-z0-9_-]{1,64}$" }),
    barcode: Type.String({ minLength: 1, maxLength: 64 }),
    kind: Type.Enum(["acknowledged", "kept", "failed", "check-in"]),
    /** Time by the label server's own clock, by which reports are ordered. */
    at: Type.String({ format: "instant", description: "ISO 8601, UTC" }),
    /** Transmission number, from its Idempotency-Key; present with acknowledged, kept and failed. */
    transmission: Type.Optional(Type.Integer()),
    page: Type.Optional(Type.Integer()),
    reason: Type.Optional(Type.String({ maxLength: 1024 })),
    battery: Type.Optional(Type.Enum(["OK", "LOW"])),
    batteryMillivolts: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10_000, description: "Voltage of the battery, for its forecast" }),
    ),
    transceiver: Type.Optional(Type.String({ maxLength: 64 })),
    hardwareRevision: Type.Optional(Type.String({ maxLength: 128 })),
    /** With check-in: what each page of the label shows, by transmission number. */
    shows: Type.Optional(
      Type.Array(
        Type.Object({
          page: Type.Integer(),
          transmission: Type.Optional(Type.Integer({ description: "Absent if the page shows no picture" })),
        }),
        {
          maxItems: 32,
          description:
            "With `check-in`: the pages that the label shows. A page that should show another picture is sent again",
        },
      ),
    ),
    bootId: Type.Optional(
      Type.String({
        maxLength: 128,
        description:
          "Identifies the current run of the label server, as the header `Boot-Id` of its responses does. One report per call " +
          "is enough. When the id changes, transmissions in flight are sent again",
      }),
    ),
    press: Type.Optional(Press),
    sensors: Type.Optional(Sensors),
  },
  { title: "LabelReport" },
);
export type LabelReport = Static<typeof LabelReport>;

/** A report with the time at which it was received, by the database's clock. */
export type ReceivedReport = LabelReport & { receivedAt?: Date };

export const LabelReports = Type.Object(
  { reports: Type.Array(LabelReport, { minItems: 1, maxItems: 5000 }) },
  { title: "LabelReports" },
);
export type LabelReports = Static<typeof LabelReports>;
