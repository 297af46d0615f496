import { ChangeEvent } from "../../schemas/events.ts";
import type { Components, Json } from "./components.ts";

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

/** The call that Shelfwire makes to a subscription's address. */
export const webhooks = ({ refer }: Pick<Components, "refer">): Json => ({
  changes: {
    post: {
      operationId: "receiveChanges",
      tags: ["Events"],
      summary: "Receive changes to records",
      description:
        "Sent to the `url` of a subscription and signed according to Standard Webhooks. Events may arrive twice with the same `type` and " +
        "`id`, and in any order: of two events with the same `type` and `subject`, the one with the larger `rev` is later. Respond within 15 seconds, " +
        "before processing the events.",
      security: [],
      parameters: [
        header("webhook-id", "Id of the delivery; the same for each attempt", "msg_2b1c"),
        header("webhook-timestamp", "Seconds since 1970: refuse a call that is older than five minutes", "1772352000"),
        header(
          "webhook-signature",
          "`v1,` and the HMAC-SHA256 of id, timestamp and body in Base64; several are separated by spaces",
          "v1,g0hM9SsE+OTPJTGt",
        ),
      ],
      requestBody: {
        required: true,
        content: {
          "application/cloudevents+json": { schema: refer(ChangeEvent) },
          "application/cloudevents-batch+json": { schema: { type: "array", items: refer(ChangeEvent) } },
        },
      },
      responses: {
        "2XX": { description: "Received; any other status is retried for 24 hours" },
        "410": { description: "The subscription stops until it is changed" },
      },
    },
  },
});
