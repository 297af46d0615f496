import { MAX_KEYS_BYTES } from "../../../api/access/issuer-keys.ts";
import { CONFIRMATIONS_PER_DAY, MAILS_PER_HOUR } from "../../../domain/notifications/mails.ts";
import { defaultOf } from "../../../schemas/environment.ts";
import { MAX_ENTRIES, MAX_NAMED_STORES } from "../../../schemas/notification.ts";
import { MAX_ANSWER_BYTES as MAX_RECEIVER_BYTES } from "../../../workers/notifier/call-receiver.ts";
import { DELIVERY_WAITS } from "../../../workers/notifier/retry.ts";
import { MAX_REST_MS } from "../../../workers/transmitter/air/pace.ts";
import { MAX_ANSWER_BYTES } from "../../../workers/transmitter/drivers/http.ts";
import { MAX_REPORTS_BYTES } from "../../../workers/transmitter/drivers/mqtt/messages.ts";
import { MAX_RESPONSE_BYTES } from "../../../workers/transmitter/drivers/openepaperlink/access-point.ts";
import { MAX_HELD } from "../../../workers/transmitter/sending/lane.ts";
import { bytes, count, seconds } from "./amounts.ts";
import type { Bound } from "./outcomes.ts";

/** Returns the limits on what is sent on, and on how much of a response is read. */
export const ofEvents = (): readonly Bound[] => [
  [
    "time in which an event's delivery is attempted",
    `${count(DELIVERY_WAITS.giveUpAfterMs / 3_600_000)} h`,
    "it becomes a dead letter",
  ],
  ["mails to a person in an hour", count(MAILS_PER_HOUR), "what happens meanwhile is collected for the next one"],
  ["entries of a mail", count(MAX_ENTRIES), "the mail says how many did not fit"],
  ["links that confirm a person's address, in a day", count(CONFIRMATIONS_PER_DAY), "the page says so, and sends none"],
  ["stores that a person names for notifications", count(MAX_NAMED_STORES), "the person chooses all of its stores"],
  ["a receiver's response", bytes(MAX_RECEIVER_BYTES), "the delivery counts as failed"],
  ["a label server's response", bytes(MAX_ANSWER_BYTES), "its status counts, the rest is not read"],
  [
    "pause that a label server may request (`Retry-After`)",
    seconds(MAX_REST_MS),
    "one picture is sent to it nevertheless",
  ],
  [
    "pictures that a transmitter holds",
    count(MAX_HELD),
    "for each label server, only pictures being sent now are held",
  ],
  ["an access point's response", bytes(MAX_RESPONSE_BYTES), "the call counts as failed"],
  ["message with reports of a gateway behind a broker", bytes(MAX_REPORTS_BYTES), "it is left out and logged"],
  ["keys of an issuer (`JWKS_URL`)", bytes(MAX_KEYS_BYTES), "as if the issuer were unreachable"],
  ["time a result is kept", `${count(defaultOf("RESULT_TTL"))} s (\`RESULT_TTL\`)`, "404"],
];
