import { Type } from "typebox";
import { count, matching, type Setting, text, url } from "./setting.ts";

/** Label servers, and the senders and receivers of changes. */
export const otherServers = {
  LABEL_SERVER_URL: { schema: url, means: "URL of the label server that transmits the pictures" },
  LABEL_SERVER_SECRET: {
    schema: Type.String({ minLength: 16 }),
    secret: true,
    means: "Secret shared by Shelfwire and the label server, used in both directions",
  },
  LABEL_SERVER_SECRET_OTHER: {
    schema: Type.String({ minLength: 16 }),
    optional: true,
    secret: true,
    means: "A second secret that is accepted from the label server while LABEL_SERVER_SECRET is being replaced",
  },
  LABEL_SERVER_CONCURRENCY: {
    schema: count,
    initial: 16,
    means: "Maximum number of concurrent calls to each label server",
  },
  BARCODE_PATTERN: {
    schema: text,
    right: 'a regular expression with a group named "type", such as (?<type>[0-9]{4}), whose digits are the label type',
    isRight: (pattern) => pattern.includes("(?<type>") && isExpression(pattern),
    initial: "^[A-Z]4[0-9A-Z]{10}(?<type>[0-9]{4})[0-9]$",
    means: "Regular expression that matches label barcodes, with a group `type`",
  },
  PUSH_PORT: {
    schema: Type.Integer({ minimum: 0, maximum: 65_535 }),
    optional: true,
    means: "Port on which the renderer accepts changes by POST /push/{topic}; disabled if absent",
  },
  PUSH_SECRET: {
    schema: matching("^whsec_[A-Za-z0-9+/]{32,}={0,2}$", 'must be "whsec_" followed by at least 24 bytes in base64'),
    optional: true,
    secret: true,
    means: "Secret of the subscription that pushes to the renderer and signs its calls",
  },
  WEBHOOKS_PRIVATE: {
    schema: matching(
      "^\\s*[^\\s,]+:(\\*|\\d{1,5})(\\s*,\\s*[^\\s,]+:(\\*|\\d{1,5}))*\\s*$",
      'must be a list such as "till.example:443,10.1.0.0/16:*"',
    ),
    optional: true,
    means:
      "Private receivers that subscriptions may use: host:port, comma-separated; a host is a name, an address or a network such as 10.1.0.0/16 or [fd00::/8], and port * is any port; none if absent",
  },
} as const satisfies Record<string, Setting>;

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern) !== undefined;
  } catch {
    return false;
  }
}
