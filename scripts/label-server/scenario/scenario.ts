import { type Static, Type } from "typebox";

const MAX_MS = 3_600_000;
const MAX_SECONDS = 86_400;

const Share = Type.Number({ minimum: 0, maximum: 1 });
const Milliseconds = Type.Integer({ minimum: 0, maximum: MAX_MS });
const Seconds = Type.Number({ exclusiveMinimum: 0, maximum: MAX_SECONDS });

/** The faults of messages on their way. */
export const Way = Type.Object({
  /** The share of messages that are lost. */
  loss: Type.Optional(Share),
  /** The share of messages that arrive twice. */
  duplicates: Type.Optional(Share),
  /** Delay of every message. */
  delayMs: Type.Optional(Milliseconds),
  /** Maximum additional random delay, which lets messages overtake one another. */
  reorderMs: Type.Optional(Milliseconds),
});
export type Way = Static<typeof Way>;

const Air = Type.Object({
  /** The share of transmissions that fail, and are reported as failed. */
  failures: Type.Optional(Share),
  /** Duration of a transmission, not counting its bytes. */
  pictureMs: Type.Optional(Milliseconds),
  /** How much a transceiver sends in a second. Its pictures wait for one another. */
  bytesPerSecond: Type.Optional(Type.Integer({ minimum: 1 })),
});
export type Air = Static<typeof Air>;

const Battery = Type.Object({
  millivolts: Type.Number({ minimum: 0, maximum: 10_000 }),
  /** Millivolts that a refresh drains from the battery at 20 °C or more. */
  millivoltsPerRefresh: Type.Number({ minimum: 0, maximum: 1_000 }),
  /** The share by which each degree below 20 °C increases this drain. */
  morePerDegree: Type.Optional(Share),
});
export type Battery = Static<typeof Battery>;

/** The temperature rises and falls between these two values, once every `hours` hours. */
const Temperature = Type.Object({
  lowest: Type.Number({ minimum: -100, maximum: 150 }),
  highest: Type.Number({ minimum: -100, maximum: 150 }),
  hours: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 24 })),
});
export type Temperature = Static<typeof Temperature>;

const Labels = Type.Object({
  /** Interval in seconds at which a label wakes, receives and checks in. */
  sleepSeconds: Type.Optional(Seconds),
  /** The share of labels that never wake. */
  dead: Type.Optional(Share),
  battery: Type.Optional(Battery),
  temperature: Type.Optional(Temperature),
  /** The firmware versions. Each label has one of them. */
  firmware: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { minItems: 1, maxItems: 32 })),
});
export type LabelConditions = Static<typeof Labels>;

const Transceivers = Type.Object({
  ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 256 }),
  /** After this time, another transceiver hears the label. Labels do not all roam at the same moment. */
  roamSeconds: Seconds,
});
export type Transceivers = Static<typeof Transceivers>;

export const Restart = Type.Object({
  /** Seconds after the start of the label server. */
  atSeconds: Type.Number({ minimum: 0, maximum: MAX_SECONDS }),
  /** How long the label server neither responds nor reports. */
  awaySeconds: Type.Optional(Seconds),
  /** Whether it forgets what it has accepted but not reported. Its labels keep their pictures. */
  forgets: Type.Boolean(),
});
export type Restart = Static<typeof Restart>;

/** What goes wrong with emulated labels, and how they behave. The same seed produces the same random events. */
export const Scenario = Type.Object({
  seed: Type.Integer({ minimum: 0 }),
  /** From an accepted call to the transmission. */
  calls: Type.Optional(Way),
  /** From a label to the call that reports it. */
  reports: Type.Optional(Way),
  air: Type.Optional(Air),
  labels: Type.Optional(Labels),
  transceivers: Type.Optional(Transceivers),
  restarts: Type.Optional(Type.Array(Restart, { maxItems: 100 })),
});
export type Scenario = Static<typeof Scenario>;
