import { type Static, Type } from "typebox";

const visible = {
  pattern: "^[!-~]{16,256}$",
  errorMessage: "must consist of 16 to 256 visible ASCII characters without spaces",
};

/** The kinds of label servers, each with its driver. */
export const drivers = ["http", "openepaperlink", "mqtt"] as const;
export type Driver = (typeof drivers)[number];

/** Whether a URL is the address of an MQTT broker, which only the `mqtt` driver calls. */
export const isBroker = (url: string): boolean => /^mqtts?:/.test(url);

/** Default for the first level or levels of a label server's topics. */
export const TOPIC_PREFIX = "shelfwire";
const topicPrefix = Type.Optional(
  Type.String({
    pattern: "^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$",
    errorMessage: 'must consist of levels of A-Z, a-z, 0-9, _ and - between slashes, such as "shops/shelfwire"',
    maxLength: 128,
    description:
      `Beginning of the topics, for \`mqtt\` only. If absent, the current value is kept; a new label server gets \`${TOPIC_PREFIX}\`. Label servers ` +
      "that share a broker need different prefixes, or users that can read and write only the topics of their stores",
    examples: [TOPIC_PREFIX],
  }),
);

const MAX_UPLOAD_INTERVAL_MS = 60_000;
const uploadIntervalMs = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MAX_UPLOAD_INTERVAL_MS,
    description:
      "Milliseconds between two pictures sent to an access point, for `openepaperlink` only. If absent, the current value is kept; the default is 1000 for " +
      "a new label server. An access point may lose pictures that arrive faster",
    examples: [1000],
  }),
);

/** A label server as the operator configures it. */
export const LabelServerOrder = Type.Object(
  {
    url: Type.String({
      pattern: "^(https?|mqtts?)://",
      errorMessage:
        'must be a URL such as "https://labels.example.com", or a broker\'s such as "mqtts://broker.example.com"',
      maxLength: 2048,
      description: "URL to which Shelfwire sends its calls, or URL of the broker to which it publishes them",
      examples: ["https://labels.example.com"],
    }),
    secret: Type.Optional(
      Type.String({
        ...visible,
        description:
          "Secret shared with the label server in both directions; for a broker, the password of the user `shelfwire`. If absent, the current secret is kept; for a new label server, one is generated and shown in " +
          "this response only",
        examples: ["a-secret-of-16-characters"],
      }),
    ),
    otherSecret: Type.Optional(
      Type.String({
        ...visible,
        description:
          "A second secret that is also accepted while the secret is being replaced: the previous or the next one. Never shown again, " +
          "and removed if `secret` is sent without it",
        examples: ["the-secret-that-it-had-before"],
      }),
    ),
    driver: Type.Optional(
      Type.Enum(drivers, {
        description:
          "What is at the URL: `http`, a label server with Shelfwire's own protocol, `openepaperlink`, an access point of OpenEPaperLink, " +
          "or `mqtt`, a broker that gateways use. If absent, the current driver is kept, unless the new URL is of the other kind. In that case, and for a new label server, " +
          "it is `mqtt` at `mqtt://` and `mqtts://`, and `http` otherwise",
        examples: ["http"],
      }),
    ),
    uploadIntervalMs,
    topicPrefix,
  },
  { title: "LabelServerOrder" },
);
export type LabelServerOrder = Static<typeof LabelServerOrder>;

/** A tenant's label server, with the secret that it shares with Shelfwire (two secrets while one is being replaced). */
export const LabelServer = Type.Object({
  url: Type.String(),
  secret: Type.String(),
  otherSecret: Type.Optional(Type.String()),
  /** `http` if absent. */
  driver: Type.Optional(Type.Enum(drivers)),
  uploadIntervalMs,
  topicPrefix,
});
export type LabelServer = Static<typeof LabelServer>;

/** The secrets by which a label server and Shelfwire authenticate each other, the permanent one first. */
export const secretsOf = ({
  secret,
  otherSecret,
}: Pick<LabelServer, "secret" | "otherSecret">): [string, ...string[]] =>
  otherSecret === undefined ? [secret] : [secret, otherSecret];
