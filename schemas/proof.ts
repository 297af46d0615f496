import { type Static, type TSchema, Type } from "typebox";
import { known } from "./text.ts";

const text = (description: string) => Type.String({ description });
const instant = (description: string) =>
  Type.String({ format: "date-time", description: `${description}: ISO 8601, UTC` });
const orNull = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** How certain it is that the label showed this. */
export const Certainty = Type.Enum(["CERTAIN", "LABEL_SERVER_CLOCK", "UNKNOWN"], {
  title: "Certainty",
  description:
    "CERTAIN: by Shelfwire's own clocks, the label had acknowledged this picture, and no other picture had been sent to it. " +
    "LABEL_SERVER_CLOCK: the picture changed about then, and only the label server's clock says whether before or after. " +
    "UNKNOWN: the label may have shown another picture, for the reason in `gaps`",
});
export type Certainty = Static<typeof Certainty>;

const gapReasons = {
  EXPIRED: "the log is not kept for that long, and no later entry says what was shown before",
  NEVER_REPORTED: "the label had not acknowledged a picture before",
  NO_REPORT: "another picture was sent to the label, and no report on it was received",
  LOST: "it was no longer known what the label showed: its tag was replaced, or it reported another picture",
  SWITCH:
    "the label kept another picture for a switch whose time had come, and had not reported that it showed that picture",
  NOT_RECORDED: "the release that was in use did not record transmissions without a report",
} as const;
export type GapReason = keyof typeof gapReasons;
export const GapReason = Type.Enum(Object.keys(gapReasons) as GapReason[], {
  title: "GapReason",
  description: Object.entries(gapReasons)
    .map(([name, means]) => `${name}: ${means}`)
    .join(". "),
});

const ProofItem = Type.Object(
  {
    itemId: text("Id of the item"),
    price: known(
      text(
        "The price as drawn; null if the item had none, if the picture is an uploaded image, or if the price is withheld",
      ),
    ),
    rev: Type.Integer({
      description: "Revision of the item from which the picture was drawn: the time of its write in milliseconds",
    }),
    rule: orNull(
      Type.Object({
        packId: text("Id of the communication pack"),
        packRev: Type.Integer({ description: "Revision of the pack: the time of its write in milliseconds" }),
        scenarioId: text("Id of the scenario that chose the design"),
      }),
      "The rule that chose the design; null if none did, if it was not recorded, or if it is withheld",
    ),
    design: orNull(
      Type.Object({
        designId: text("Id of the design"),
        version: orNull(Type.Integer(), "Number of the design's version; null if it has none"),
        canvasVersion: orNull(Type.Integer(), "Number of the canvas's version; null if it has none"),
      }),
      "The design that drew the item; null if none did, or if it was not recorded",
    ),
  },
  { title: "ProofItem" },
);

const pictureFields = {
  image: text("SHA-256 of the picture's pixels"),
  items: Type.Array(ProofItem, { description: "The items in the picture; empty for the background" }),
  uploaded: Type.Boolean({ description: "Whether it is an uploaded image of the item, which may show any price" }),
  fault: known(text("Why the label showed its background; null if it did not")),
};
const ProofPicture = Type.Object(pictureFields, { title: "ProofPicture" });

/** What a label's page showed at a given time, according to the log of the glass. */
const shownFields = {
  barcode: text("Barcode of the label"),
  page: Type.Integer({ minimum: 0, description: "Page of the label, from 0" }),
  at: instant("The time for which the proof was made"),
  certainty: Certainty,
  shown: orNull(
    Type.Object(
      {
        ...pictureFields,
        since: instant("When the label began to show this picture"),
        until: known(
          instant(
            "When the label stopped showing it, as far as known; null if it still showed it when the proof was made",
          ),
        ),
      },
      { title: "ProvenPicture" },
    ),
    "The last picture that the label had acknowledged; null if none is known",
  ),
  others: orNull(
    Type.Array(ProofPicture),
    "Other pictures that the label may have shown instead; empty if it was certainly `shown`, null if it may have been any",
  ),
  gaps: Type.Array(
    Type.Object(
      {
        from: known(instant("Begin; null if unknown")),
        until: known(instant("End; null if it had not ended when the proof was made")),
        reason: GapReason,
      },
      { title: "ProofGap" },
    ),
    {
      description:
        "Times from this acknowledgement to the next in which it is not known for certain what the label showed",
    },
  ),
};

export const LabelShown = Type.Object(shownFields, { title: "LabelShown" });
export type LabelShown = Static<typeof LabelShown>;

/** The content of a proof, which the signature covers. */
export const Proof = Type.Object(
  {
    version: Type.Literal(1, { description: "Version of this form" }),
    tenantId: text("Id of the tenant"),
    storeId: text("Id of the store"),
    timeZone: text("Time zone of the store (IANA)"),
    localTime: text("The time for which the proof was made, in the store's time zone"),
    ...shownFields,
    acknowledgement: orNull(
      Type.Object(
        {
          labelServer: known(text("Id of the label server that reported it; null for the installation's own")),
          transmission: Type.Integer({ description: "Number of the transmission" }),
          begunAt: known(instant("When it began, by the transmitter's clock")),
          deliveredAt: instant("When it was delivered, by the label server's clock"),
          receivedAt: known(instant("When the report was received, by the database's clock")),
        },
        { title: "ProofAcknowledgement" },
      ),
      "The label's acknowledgement of the picture",
    ),
    clock: Type.Object(
      {
        source: text("The clocks from which the times come"),
        earliest: known(instant("Earliest time at which the label can have begun to show the picture")),
        latest: known(instant("Latest time by which the label showed the picture")),
      },
      {
        title: "ProofClock",
        description: "The bounds of the time at which the picture appeared, by Shelfwire's own clocks",
      },
    ),
    png: known(text("The picture as a PNG in Base64; null if it is no longer stored")),
    keptSince: instant("Entries of the log before this time had been deleted when the proof was made"),
    madeAt: instant("When the proof was made, by the database's clock"),
    withheld: Type.Array(Type.String(), {
      description: "Scopes that the token lacks, so that prices or rules were left out",
    }),
  },
  { title: "Proof", description: "What the label showed, and the evidence for it: the content that is signed" },
);
export type Proof = Static<typeof Proof>;

export const SignedProof = Type.Object(
  {
    proof: Proof,
    jws: known(
      text(
        "The proof signed with Ed25519: a JSON Web Signature in compact form, whose payload is `proof`; null if no key is configured",
      ),
    ),
    unsigned: known(text("Why it is not signed, and what to do; null if it is")),
  },
  { title: "SignedProof" },
);
export type SignedProof = Static<typeof SignedProof>;
