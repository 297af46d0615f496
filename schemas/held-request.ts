import { type Static, Type } from "typebox";
import { Actor } from "./actor.ts";
import type { GuardNotice } from "./guard-notice.ts";
import { Notice } from "./notice.ts";
import { dateText, known } from "./text.ts";

/** What becomes of a request that hits a guard. */
export const OnGuard = Type.Enum(["REFUSE", "HOLD", "HOLD_ROWS"], {
  title: "OnGuard",
  description:
    "What becomes of rows that hit a price guard. REFUSE: the request is refused with 409. HOLD: it is held as a whole until a second " +
    "person approves it. HOLD_ROWS: only these rows are. If absent, a request of at most 100 rows is refused and a larger one is held",
});
export type OnGuard = Static<typeof OnGuard>;

export const HoldState = Type.Enum(["WAITING", "APPROVED", "REFUSED", "EXPIRED"], {
  title: "HoldState",
  description:
    "WAITING: nobody has decided yet, and nothing has changed. APPROVED: it is applied like any other request. REFUSED: it has no effect. " +
    "EXPIRED: nobody decided in time, and it has no effect",
});
export type HoldState = Static<typeof HoldState>;

const HoldNote = Type.String({ maxLength: 1_000, description: "Why", examples: ["Agreed with the supplier"] });

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

/** What guards say of a held request. */
export interface HeldFor {
  /** The guards that the request as a whole hits. */
  whole: readonly GuardNotice[];
  /** The rows that are held, the largest jumps first; at most `MAX_HELD_ROWS` of them. */
  rows: readonly HeldRow[];
  /** How many rows are held. */
  count: number;
  /** The largest change in percent; absent if none can be compared. */
  largest?: number;
  /** Of all of them and their guards: it shows whether later trials find others. */
  digest: string;
}

export const MAX_HELD_ROWS = 1_000;

/** What the journal keeps of a request that was held, with its first chunk. */
export interface Hold extends HeldFor {
  state: HoldState;
  /** Set while something is left to do: to decide, or to carry out what was decided. */
  open?: true;
  /** Set once it was decided and carried out, until the activity log has its outcome: how many parts the log has. */
  entered?: number;
  /** Its mark in the counter of its store, which says that a smaller number may still take effect. */
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
    was: known(price("The price before it; null for an item without one")),
    percent: known(Type.Number({ description: "By how many percent the price changes", examples: [-12.5] })),
    guards: Type.Array(GuardHit, { description: "Empty if only the request as a whole hits guards" }),
  },
  { title: "HeldRow" },
);

const Person = Type.Object(Actor.properties, {
  title: "HoldActor",
  description: "Who sent or decided it, and by which way",
});
const summary = {
  requestId: Type.Integer({ description: "From the receipt", examples: [17] }),
  state: HoldState,
  sentBy: Person,
  sentAt: dateText("When it was sent"),
  expiresAt: dateText("When it is refused if nobody has decided"),
  rows: Type.Integer({ description: "Rows of the request", examples: [200] }),
  held: Type.Integer({ description: "Rows that hit guards, or change a price if the whole request hits one" }),
  guards: Type.Array(GuardHit, { description: "Guards that the request as a whole hits" }),
  largest: known(Type.Number({ description: "The largest change of a price in percent", examples: [900] })),
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
      description: `The held rows: what cannot be compared first, then the largest jumps; ${MAX_HELD_ROWS} at most`,
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
    requestId: Type.Integer({ description: "Its number; that of the receipt, if the whole request is held" }),
    rows: Type.Integer({ description: "How many rows hit guards" }),
  },
  {
    title: "HeldReceipt",
    description:
      "Present if rows hit a price guard: they are held, and change nothing until a second person approves them",
  },
);
