import { type Static, Type } from "typebox";

const MAX_MS = 3_600_000;
const MAX_SECONDS = 86_400;

const Share = Type.Number({ minimum: 0, maximum: 1 });
const Milliseconds = Type.Integer({ minimum: 0, maximum: MAX_MS });
const Seconds = Type.Number({ exclusiveMinimum: 0, maximum: MAX_SECONDS });

/** What happens to messages on their way. */
export const Way = Type.Object({
  /** The share of messages that are lost. */
  loss: Type.Optional(Share),
  /** The share of messages that arrive twice. */
  duplicates: Type.Optional(Share),
  /** How late every message is. */
  delayMs: Type.Optional(Milliseconds),
  /** By up to this much more a message is late by chance: messages overtake one another. */
  reorderMs: Type.Optional(Milliseconds),
});
export type Way = Static<typeof Way>;

const Air = Type.Object({
  /** The share of transmissions that fail, and are reported so. */
  failures: Type.Optional(Share),
  /** What a transmission takes in addition to its bytes. */
  pictureMs: Type.Optional(Milliseconds),
  /** How much a transceiver sends in a second; its pictures wait for one another. */
  bytesPerSecond: Type.Optional(Type.Integer({ minimum: 1 })),
});
export type Air = Static<typeof Air>;

const Battery = Type.Object({
  millivolts: Type.Number({ minimum: 0, maximum: 10_000 }),
  /** By how much a refresh drains it at 20 °C or more. */
  millivoltsPerRefresh: Type.Number({ minimum: 0, maximum: 1_000 }),
  /** The share by which a refresh drains it more for each degree below 20 °C. */
  morePerDegree: Type.Optional(Share),
});
export type Battery = Static<typeof Battery>;

/** It rises and falls between the two, once in `hours`. */
const Temperature = Type.Object({
  lowest: Type.Number({ minimum: -100, maximum: 150 }),
  highest: Type.Number({ minimum: -100, maximum: 150 }),
  hours: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 24 })),
});
export type Temperature = Static<typeof Temperature>;

const Labels = Type.Object({
  /** A label wakes, receives and checks in once in this time. */
  sleepSeconds: Type.Optional(Seconds),
  /** The share of labels that never wake. */
  dead: Type.Optional(Share),
  battery: Type.Optional(Battery),
  temperature: Type.Optional(Temperature),
  /** Each label has one of these versions. */
  firmware: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { minItems: 1, maxItems: 32 })),
});
export type LabelConditions = Static<typeof Labels>;

const Transceivers = Type.Object({
  ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 256 }),
  /** After this time a label is heard by another one. Each label has its own moment. */
  roamSeconds: Seconds,
});
export type Transceivers = Static<typeof Transceivers>;

export const Restart = Type.Object({
  /** After the start of the label server. */
  atSeconds: Type.Number({ minimum: 0, maximum: MAX_SECONDS }),
  /** How long it neither responds nor reports. */
  awaySeconds: Type.Optional(Seconds),
  /** Whether it knows nothing of what it has accepted and not reported. Its labels keep their pictures. */
  forgets: Type.Boolean(),
});
export type Restart = Static<typeof Restart>;

/** What goes wrong with emulated labels, and how they live. The same seed draws the same chances. */
export const Scenario = Type.Object({
  seed: Type.Integer({ minimum: 0 }),
  /** From a call that was accepted to the transmission. */
  calls: Type.Optional(Way),
  /** From a label to the call that reports it. */
  reports: Type.Optional(Way),
  air: Type.Optional(Air),
  labels: Type.Optional(Labels),
  transceivers: Type.Optional(Transceivers),
  restarts: Type.Optional(Type.Array(Restart, { maxItems: 100 })),
});
export type Scenario = Static<typeof Scenario>;
