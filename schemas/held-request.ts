import { type Static, Type } from "typebox";
import { Actor } from "./actor.ts";
import type { GuardNotice } from "./guard-notice.ts";
import { Notice } from "./notice.ts";
import { dateText, known } from "./text.ts";

/** What happens to a request that hits a guard. */
export const OnGuard = Type.Enum(["REFUSE", "HOLD", "HOLD_ROWS"], {
  title: "OnGuard",
  description:
    "What happens if rows hit a price guard. REFUSE: the request is refused with 409. HOLD: the whole request is held until a second " +
    "person approves it. HOLD_ROWS: only these rows are held. If absent, a request of at most 100 rows is refused and a larger one is held",
});
export type OnGuard = Static<typeof OnGuard>;

export const HoldState = Type.Enum(["WAITING", "APPROVED", "REFUSED", "EXPIRED"], {
  title: "HoldState",
  description:
    "WAITING: nobody has decided yet, and nothing has changed. APPROVED: it is applied like any other request. REFUSED: it has no effect. " +
    "EXPIRED: nobody decided in time, and it has no effect",
});
export type HoldState = Static<typeof HoldState>;

const HoldNote = Type.String({
  maxLength: 1_000,
  description: "Reason for the decision",
  examples: ["Agreed with the supplier"],
});

/** A row that changes a price, with the guards that it hits. */
export interface HeldRow {
  row: number;
  itemId: string;
  itemName?: string;
  price: string;
  was?: string;
  percent?: number;
  notices: readonly GuardNotice[];
}

/** Which guards a held request hits. */
export interface HeldFor {
  /** The guards that the request as a whole hits. */
  whole: readonly GuardNotice[];
  /** The rows that are held, largest jumps first; at most `MAX_HELD_ROWS` of them. */
  rows: readonly HeldRow[];
  /** Number of held rows. */
  count: number;
  /** The largest change in percent; absent if no prices can be compared. */
  largest?: number;
  /** Digest of all held rows and their guards, which shows whether a later trial finds others. */
  digest: string;
}

export const MAX_HELD_ROWS = 1_000;

/** What the journal keeps about a held request, with its first chunk. */
export interface Hold extends HeldFor {
  state: HoldState;
  /** Set until the request is decided and the decision is carried out. */
  open?: true;
  /**
   * Number of parts of its outcome that have been written to the activity log. Set once the decision has been carried out,
   * until the log has the whole outcome.
   */
  entered?: number;
  /** Its mark in its store's counter, which shows that a smaller number may still take effect. */
  mark: string;
  sentBy: Actor;
  expiresAt: Date;
  decision?: { at: Date; by?: Actor; note?: string };
}

const GuardHit = Type.Object(
  { ...Notice.properties, detail: Type.String({ description: "In English" }) },
  { title: "GuardHit", description: "A guard, by its code, with its numbers" },
);

const price = (description: string) => Type.String({ description, examples: ["1.99"] });
const HeldRowAnswer = Type.Object(
  {
    itemId: Type.String(),
    itemName: known(Type.String()),
    price: price("The price that the row sets"),
    was: known(price("The previous price; null for an item without a price")),
    percent: known(Type.Number({ description: "Price change in percent; negative for a fall", examples: [-12.5] })),
    guards: Type.Array(GuardHit, { description: "Empty if only the request as a whole hits guards" }),
  },
  { title: "HeldRow" },
);

const Person = Type.Object(Actor.properties, {
  title: "HoldActor",
  description: "Who sent the request or decided on it, and through which channel",
});
const summary = {
  requestId: Type.Integer({ description: "Number of the request, from the receipt", examples: [17] }),
  state: HoldState,
  sentBy: Person,
  sentAt: dateText("When it was sent"),
  expiresAt: dateText("When it expires if nobody has decided"),
  rows: Type.Integer({ description: "Rows of the request", examples: [200] }),
  held: Type.Integer({ description: "Rows that hit guards, or change a price if the whole request hits one" }),
  guards: Type.Array(GuardHit, { description: "Guards that the request as a whole hits" }),
  largest: known(Type.Number({ description: "The largest price change in percent", examples: [900] })),
  decision: Type.Optional(
    Type.Object(
      { at: dateText("When it was decided"), by: Type.Optional(Person), note: Type.Optional(HoldNote) },
      { title: "HoldDecision", description: "Absent while it waits. `by` is absent if it has expired" },
    ),
  ),
};

/** A held request in a list. */
export const HeldSummary = Type.Object(summary, { title: "HeldSummary" });
export type HeldSummary = Static<typeof HeldSummary>;

/** A held request with its rows. */
export const HeldRequest = Type.Object(
  {
    ...summary,
    changes: Type.Array(HeldRowAnswer, {
      description: `The held rows, at most ${MAX_HELD_ROWS}: prices that cannot be compared first, then the largest jumps`,
    }),
  },
  { title: "HeldRequest", description: "A request that hits price guards. It changes nothing until it is approved" },
);
export type HeldRequest = Static<typeof HeldRequest>;

/** Body of a decision. */
export const HoldOrder = Type.Object({ note: Type.Optional(HoldNote) }, { title: "HoldOrder" });

/** In a receipt: the request that is held. */
export const HeldReceipt = Type.Object(
  {
    requestId: Type.Integer({
      description: "Number of the held request; the receipt's own number if the whole request is held",
    }),
    rows: Type.Integer({ description: "Number of rows that hit guards" }),
  },
  {
    title: "HeldReceipt",
    description:
      "Present if rows hit a price guard: they are held, and change nothing until a second person approves them",
  },
);
