import { type Static, Type } from "typebox";
import { PriorPriceRules } from "./charged.ts";
import { PriceGuards } from "./price-guards.ts";
import { identifier, plainId, timeOfDay } from "./text.ts";

const LinkDepartment = Type.Object({
  id: identifier(128, "Id of the department"),
  alias: Type.Optional(identifier(128, "Alternative name")),
  transceivers: Type.Array(identifier(64, "Short id"), {
    maxItems: 1000,
    description: "Short ids of the transceivers that reach the department's labels",
  }),
  labelServer: Type.Optional(
    plainId("The label server of the department's labels, one of the tenant's own; the store's if absent"),
  ),
});
export type LinkDepartment = Static<typeof LinkDepartment>;

const QuietHours = Type.Object(
  { from: timeOfDay("When they begin, in the store's time zone", "22:00"), to: timeOfDay("When they end", "06:00") },
  {
    title: "QuietHours",
    description:
      "Hours of a day in which only prices are sent: pictures that differ only in their design wait until the end, and so do the rare retries for labels that " +
      "do not respond",
  },
);
export type QuietHours = Static<typeof QuietHours>;

export const Store = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256, description: "Display name", examples: ["Main street"] }),
    timeZone: Type.String({ maxLength: 64, description: "IANA name of the time zone", examples: ["Europe/Zagreb"] }),
    currency: Type.String({
      pattern: "^[A-Z]{3}$",
      errorMessage: 'must be an ISO 4217 code such as "EUR"',
      description: "ISO 4217 code",
      examples: ["EUR"],
    }),
    locale: Type.String({
      maxLength: 64,
      description: "BCP 47 language tag; determines how prices are drawn",
      examples: ["hr-HR"],
    }),
    linkDepartments: Type.Array(LinkDepartment, {
      maxItems: 1000,
      description: "Which transceivers serve which department",
    }),
    labelServer: Type.Optional(
      plainId("The label server of the store's labels, one of the tenant's own; the installation's if absent"),
    ),
    quietHours: Type.Optional(QuietHours),
    country: Type.Optional(
      Type.String({
        pattern: "^[A-Z]{2}$",
        errorMessage: 'must be an ISO 3166-1 code of two letters such as "HR"',
        description: "ISO 3166-1 code of the country by whose price law designs and items are checked; none if absent",
        examples: ["HR"],
      }),
    ),
    priorPrice: Type.Optional(PriorPriceRules),
    parameters: Type.Optional(
      Type.Object(
        {
          ITEM_MUST_EXIST: Type.Optional(
            Type.Boolean({
              default: true,
              description: "Whether a page image is rejected if its item does not exist; otherwise the item is created",
            }),
          ),
          UNIT_PRICE_PER_100: Type.Optional(
            Type.Boolean({
              default: false,
              description:
                "Whether unit prices of goods sold by weight or volume are per 100 g or 100 ml; otherwise per kilogram or litre",
            }),
          ),
        },
        { description: "Settings of the store" },
      ),
    ),
  },
  { title: "Store" },
);
export type Store = Static<typeof Store>;

/** A store's record. */
export const StoreRecord = Type.Object({
  ...Store.properties,
  /**
   * Key of the pack that chooses its links' designs while the store is in a publication's canary; if absent, the tenant's
   * active pack does.
   */
  communicationPack: Type.Optional(Type.String()),
  /** The price guards that replace the tenant's. */
  priceGuards: Type.Optional(PriceGuards),
});
export type StoreRecord = Static<typeof StoreRecord>;
