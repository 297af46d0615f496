import { type Static, Type } from "typebox";
import { PriceGuards } from "./price-guards.ts";
import { PublishLimits } from "./publish-limits.ts";

export const CheckDigitRule = Type.Enum(["ascii-sum", "gs1", "none"], {
  description: "The sum of the ASCII codes of all other characters modulo 10, or the check digit of GS1 (EAN), or none",
});
export type CheckDigitRule = Static<typeof CheckDigitRule>;

/** Structure of the barcodes of a tenant's labels. */
export const BarcodeSchemeOrder = Type.Object(
  {
    pattern: Type.String({
      maxLength: 256,
      description:
        "A regular expression with named groups: the digits of `type` are the label type, `check` is the check digit (the " +
        "last character if there is no such group)",
      examples: ["^[A-Z]4[0-9A-Z]{10}(?<type>[0-9]{4})(?<check>[0-9])$"],
    }),
    checkDigit: CheckDigitRule,
  },
  { title: "BarcodeScheme", description: "Structure of label barcodes; defaults to BARCODE_PATTERN" },
);
export type BarcodeSchemeOrder = Static<typeof BarcodeSchemeOrder>;

const order = {
  name: Type.String({ minLength: 1, maxLength: 256, description: "Display name", examples: ["Corner shops"] }),
  barcodeScheme: Type.Optional(BarcodeSchemeOrder),
  macBarcodes: Type.Optional(
    Type.Boolean({
      description:
        "Whether a MAC address of 12 or 16 hex digits in capitals is also a label barcode. It contains no label type, so the row that " +
        "creates the label must name a model with a single label type",
    }),
  ),
};

/** A tenant as the operator configures it. */
export const TenantOrder = Type.Object(order, { title: "TenantOrder" });
export type TenantOrder = Static<typeof TenantOrder>;

/** A retailer, which owns stores, label types, models, designs and communication packs. */
export const Tenant = Type.Object({
  ...order,
  /** Key of the active communication pack; all its other packs are inactive. */
  communicationPack: Type.Optional(Type.String()),
  publishLimits: Type.Optional(PublishLimits),
  priceGuards: Type.Optional(PriceGuards),
  /** Set once the tenant's removal was ordered: callers no longer see it, and clean-up deletes all its data after `due`. */
  removal: Type.Optional(Type.Object({ since: Type.Unsafe<Date>({}), due: Type.Unsafe<Date>({}) })),
});
export type Tenant = Static<typeof Tenant>;
