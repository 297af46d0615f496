import { type ObservedTopic, observedTopics } from "../../../schemas/events.ts";

type Json = Record<string, unknown>;
interface Whole {
  info: { version: string; license: Json };
  components: { schemas: Record<string, Json> };
}

/** Returns the schemas to which a value refers, directly or through others. */
function referred(
  value: unknown,
  schemas: Record<string, Json>,
  found: Record<string, Json> = {},
): Record<string, Json> {
  for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    const schema = schemas[name];
    if (schema === undefined || name in found) continue;
    found[name] = schema;
    referred(schema, schemas, found);
  }
  return found;
}

/** The topics as an AsyncAPI 3.0 document, for subscribers and tails. */
export function asyncApiDocument(whole: Json): Json {
  const { info, components } = whole as unknown as Whole;
  const payload = { $ref: "#/components/schemas/ChangeEvent" };
  const perTopic = <Made>(make: (topic: ObservedTopic) => readonly [string, Made]) =>
    Object.fromEntries(observedTopics.map(make));
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Shelfwire: changes",
      version: info.version,
      license: { name: "MIT" },
      description:
        "Changes to records, each a CloudEvent that names its record but never contains its content. They are sent to the webhooks of subscriptions " +
        "(`/subscriptions` of the management interface) and to tails (`/topics/{topic}/tail`).",
    },
    defaultContentType: "application/cloudevents+json",
    channels: perTopic((topic) => [
      topic,
      { address: topic, messages: { change: { $ref: "#/components/messages/ChangeEvent" } } },
    ]),
    operations: perTopic((topic) => [
      `send.${topic}`,
      {
        action: "send",
        channel: { $ref: `#/channels/${topic}` },
        messages: [{ $ref: `#/channels/${topic}/messages/change` }],
      },
    ]),
    components: {
      messages: { ChangeEvent: { name: "ChangeEvent", contentType: "application/cloudevents+json", payload } },
      schemas: Object.fromEntries(Object.entries(referred(payload, components.schemas)).sort()),
    },
  };
}
