import { type Static, type TProperties, Type } from "typebox";

/**
 * The part of Home Assistant's device discovery that labels use, as documented for its MQTT integration and each platform.
 * Names are written out, and no other fields are allowed.
 */
const closed = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false });

const Topic = Type.String({ minLength: 1, maxLength: 65_535, pattern: "^[^+#]+$" });
const Template = Type.String({ minLength: 1 });
const common = {
  unique_id: Type.String({ minLength: 1 }),
  name: Type.String({ minLength: 1 }),
  icon: Type.Optional(Type.String({ pattern: "^mdi:" })),
  entity_category: Type.Optional(Type.Enum(["config", "diagnostic"])),
};

const Sensor = closed({
  platform: Type.Literal("sensor"),
  ...common,
  value_template: Template,
  device_class: Type.Optional(Type.Enum(["enum", "duration", "timestamp"])),
  /** Required with the device class `enum`, and not allowed with any other. */
  options: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  unit_of_measurement: Type.Optional(Type.String()),
  json_attributes_topic: Type.Optional(Topic),
});

const BinarySensor = closed({
  platform: Type.Literal("binary_sensor"),
  ...common,
  value_template: Template,
  device_class: Type.Literal("battery"),
  payload_on: Type.String(),
  payload_off: Type.String(),
});

const Image = closed({
  platform: Type.Literal("image"),
  ...common,
  image_topic: Topic,
  content_type: Type.String({ pattern: "^image/" }),
});

const Event = closed({
  platform: Type.Literal("event"),
  ...common,
  state_topic: Topic,
  device_class: Type.Enum(["button", "doorbell", "motion"]),
  event_types: Type.Array(Type.String(), { minItems: 1 }),
});

const Text = closed({
  platform: Type.Literal("text"),
  ...common,
  command_topic: Topic,
  value_template: Template,
  min: Type.Integer({ minimum: 0 }),
  max: Type.Integer({ maximum: 255 }),
  pattern: Type.String(),
});

/** The payload of `{prefix}/device/{object_id}/config`. */
export const DeviceDiscovery = closed({
  device: closed({
    identifiers: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
    name: Type.String({ minLength: 1 }),
    manufacturer: Type.String(),
    model: Type.Optional(Type.String()),
    serial_number: Type.String(),
    suggested_area: Type.Optional(Type.String()),
  }),
  origin: closed({ name: Type.String({ minLength: 1 }), sw_version: Type.Optional(Type.String()) }),
  components: Type.Record(
    Type.String({ pattern: "^[a-zA-Z0-9_-]+$" }),
    Type.Union([Sensor, BinarySensor, Image, Event, Text]),
    { minProperties: 1 },
  ),
  availability_topic: Topic,
  state_topic: Topic,
  qos: Type.Enum([0, 1, 2]),
});
export type DeviceDiscovery = Static<typeof DeviceDiscovery>;
