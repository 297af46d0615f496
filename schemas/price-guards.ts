import { type Static, Type } from "typebox";
import { PropertyKey } from "./item.ts";
import { timeOfDay } from "./text.ts";

const priceText = (description: string, example: string) =>
  Type.String({
    pattern: "^[0-9]{1,15}(\\.[0-9]{1,15})?$",
    maxLength: 31,
    errorMessage: 'must be a price such as "0.05", with a point and without a currency',
    description,
    examples: [example],
  });
const percent = (description: string, example: number) =>
  Type.Number({ minimum: 0, maximum: 100_000, description, examples: [example] });
const times = (description: string, example: number) =>
  Type.Number({ minimum: 0.01, maximum: 10_000, description, examples: [example] });
const date = (description: string, example: string) =>
  Type.String({
    pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
    maxLength: 10,
    errorMessage: 'must be a day such as "2026-12-24"',
    description,
    examples: [example],
  });

export const weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const;

const period = {
  days: Type.Optional(
    Type.Array(Type.Enum(weekdays), {
      minItems: 1,
      maxItems: weekdays.length,
      uniqueItems: true,
      description: "Days of the week on which it begins; every day if absent",
      examples: [["MON", "TUE"]],
    }),
  ),
  from: timeOfDay("When it begins, by the store's clock", "20:00"),
  to: timeOfDay("When it ends: on the next day, unless it is later than `from`", "06:00"),
  firstDate: Type.Optional(date("The first day on which it begins", "2026-12-24")),
  lastDate: Type.Optional(date("The last day on which it begins", "2026-12-26")),
};

const Window = Type.Object(period, { title: "PriceWindow", description: "Hours in which prices may change" });
const Freeze = Type.Object(
  {
    ...period,
    rises: Type.Optional(
      Type.Boolean({ description: "true: only rises are frozen; prices may still fall", default: false }),
    ),
  },
  { title: "PriceFreeze", description: "Hours in which prices must not change, such as those of a business day" },
);

/** Hours by the store's clock, on certain days of the week. */
export type Period = Static<typeof Window>;

/**
 * Checks that a price must pass before it is accepted. An absent guard is not checked; a store's guard replaces the tenant's
 * guard of the same name.
 */
export const PriceGuards = Type.Object(
  {
    number: Type.Optional(Type.Boolean({ description: "true: a price must be a number, such as 1.99" })),
    positive: Type.Optional(Type.Boolean({ description: "true: a price must be above zero" })),
    range: Type.Optional(
      Type.Object(
        {
          least: Type.Optional(priceText("The lowest price", "0.05")),
          most: Type.Optional(priceText("The highest price", "999.99")),
        },
        { title: "PriceRange", description: "The prices that are allowed" },
      ),
    ),
    change: Type.Optional(
      Type.Object(
        {
          rise: Type.Optional(percent("Percentage of the current price by which it may rise", 30)),
          fall: Type.Optional(percent("Percentage of the current price by which it may fall", 50)),
        },
        { title: "PriceChange", description: "By how much a price may change in one step" },
      ),
    ),
    cost: Type.Optional(
      Type.Object(
        {
          property: PropertyKey,
          least: Type.Optional(
            times("Lowest price as a multiple of the cost: with 1, the price cannot be below the cost", 1),
          ),
          most: Type.Optional(times("Highest price as a multiple of the cost", 10)),
        },
        {
          title: "PriceOverCost",
          description: "The property that holds an item's cost, as a number; items without it pass",
        },
      ),
    ),
    amount: Type.Optional(
      Type.Object(
        {
          items: Type.Optional(
            Type.Integer({ minimum: 1, description: "Maximum number of items whose price may change in one request" }),
          ),
          share: Type.Optional(
            percent("Maximum percentage of the store's items whose price may change in one request", 20),
          ),
        },
        { title: "PriceAmount", description: "Items that get their first price are not counted" },
      ),
    ),
    windows: Type.Optional(
      Type.Array(Window, { maxItems: 50, description: "Prices may change only in these hours; at any time if empty" }),
    ),
    freezes: Type.Optional(Type.Array(Freeze, { maxItems: 50, description: "Prices must not change in these hours" })),
    expiresAfter: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 168,
        default: 24,
        description: "Number of hours after which a held request expires if nobody has decided",
      }),
    ),
  },
  {
    title: "PriceGuards",
    description: "Checks that a price must pass before it is accepted; an absent guard is not checked",
  },
);
export type PriceGuards = Static<typeof PriceGuards>;

export const DEFAULT_EXPIRES_AFTER = 24;

/** Returns the guards of a store: its own, and the tenant's guards that it does not replace. */
export const guardsOf = (tenant: PriceGuards | undefined, store: PriceGuards | undefined): PriceGuards | undefined =>
  tenant === undefined || store === undefined ? (store ?? tenant) : { ...tenant, ...store };

/** Whether there is any guard to check. */
export const hasGuards = ({ expiresAfter: _, ...guards }: PriceGuards): boolean => Object.keys(guards).length > 0;
