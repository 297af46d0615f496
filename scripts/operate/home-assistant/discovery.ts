import type { Item, Label } from "../../../docs/typescript-client/index.ts";
import { PlState } from "../../../schemas/label.ts";
import type { DeviceDiscovery } from "./discovery-schema.ts";

/** A label as the interface returns it without a projection. */
export interface FullLabel extends Label {
  batteryDaysLeft?: number;
  lastUpdate?: string | null;
  lastPress?: { button: number; time: string } | null;
}

/** The topics of a label, below its store's topics. */
export interface LabelTopics {
  /** The topic in which Home Assistant looks for the label's device. */
  config: string;
  state: string;
  picture: string;
  press: string;
  /** The topic to which a new price is sent. */
  setPrice: string;
}

/** The topics of a store. */
export interface StoreTopics {
  tree: string;
  availability: string;
  /** Matches the configuration of every device. */
  configs: string;
  /** Matches the commands of this store. */
  commands: string;
  of(barcode: string): LabelTopics;
  /** Returns the barcode in a command's topic. */
  barcodeOf(topic: string): string | undefined;
}

/** Home Assistant's states have at most 255 characters. */
const MAX_STATE = 255;
/** A price that a person may set. The label shows it in the store's locale. */
const PRICE = "\\d{1,9}(\\.\\d{1,4})?";
const MAX_PRICE = 14;

/** Returns the topics of a tenant's store. The ids contain no slash. */
export function topicsOf(where: { discovery: string; prefix: string; tenant: string; store: string }): StoreTopics {
  const { discovery, prefix, tenant, store } = where;
  const tree = `${prefix}/${tenant}/${store}`;
  return {
    tree,
    availability: `${tree}/state`,
    configs: `${discovery}/device/+/config`,
    commands: `${tree}/labels/+/price/set`,
    of(barcode) {
      const label = `${tree}/labels/${encodeURIComponent(barcode)}`;
      return {
        config: `${discovery}/device/${objectIdOf(tenant, store, barcode)}/config`,
        ...{ state: `${label}/state`, picture: `${label}/picture`, press: `${label}/press` },
        setPrice: `${label}/price/set`,
      };
    },
    barcodeOf(topic) {
      const [encoded, ...rest] = topic.startsWith(`${tree}/labels/`) ? topic.slice(tree.length + 8).split("/") : [];
      return encoded !== undefined && rest.join("/") === "price/set" ? decodeURIComponent(encoded) : undefined;
    },
  };
}

/**
 * Device ids consist of letters, digits, `_` and `-`. Within a part, every character except letters and digits is written as
 * its code between hyphens, so that no two labels have the same id.
 */
const objectIdOf = (...parts: readonly string[]): string =>
  ["shelfwire", ...parts.map((part) => part.replace(/[^A-Za-z0-9]/g, (one) => `-${one.charCodeAt(0)}-`))].join("_");

/** Returns the device of a label: its state, battery, item, price and picture, and its button once it has been pressed. */
export function discoveryOf(label: FullLabel, topics: StoreTopics, how: { setsPrices: boolean }): DeviceDiscovery {
  const { barcode, modelName, plLocation, lastPress } = label;
  const { config, state, picture, press, setPrice } = topics.of(barcode);
  const device = config.split("/").at(-2) ?? "";
  const id = (name: string) => ({ unique_id: `${device}_${name}` });
  const diagnostic = { entity_category: "diagnostic" } as const;
  return {
    device: {
      identifiers: [device],
      name: plLocation ? `${plLocation} ${barcode}` : barcode,
      manufacturer: "Shelfwire",
      ...(modelName && { model: modelName }),
      serial_number: barcode,
      ...(plLocation && { suggested_area: plLocation }),
    },
    origin: { name: "Shelfwire" },
    components: {
      state: {
        ...{ platform: "sensor", ...id("state"), name: "State", value_template: "{{ value_json.state }}" },
        ...{ device_class: "enum", options: [...PlState.enum], json_attributes_topic: state },
      },
      battery: {
        ...{ platform: "binary_sensor", ...id("battery"), name: "Battery", ...diagnostic },
        ...{
          device_class: "battery",
          value_template: "{{ value_json.battery }}",
          payload_on: "LOW",
          payload_off: "OK",
        },
      },
      battery_days: {
        ...{ platform: "sensor", ...id("battery_days"), name: "Battery ends in", ...diagnostic },
        ...{ device_class: "duration", unit_of_measurement: "d", value_template: "{{ value_json.batteryDaysLeft }}" },
      },
      item: { platform: "sensor", ...id("item"), name: "Item", value_template: "{{ value_json.item }}" },
      price: { platform: "sensor", ...id("price"), name: "Price", value_template: "{{ value_json.price }}" },
      picture: {
        platform: "image",
        ...id("picture"),
        name: "Picture",
        image_topic: picture,
        content_type: "image/png",
      },
      ...(lastPress && {
        press: {
          ...{ platform: "event", ...id("press"), name: "Button", state_topic: press },
          ...{ device_class: "button", event_types: ["press"] },
        },
      }),
      ...(how.setsPrices && {
        set_price: {
          ...{ platform: "text", ...id("set_price"), name: "New price", entity_category: "config" },
          ...{ command_topic: setPrice, value_template: "{{ value_json.price or '' }}" },
          ...{ min: 0, max: MAX_PRICE, pattern: `^(${PRICE})?$` },
        },
      }),
    } as DeviceDiscovery["components"],
    availability_topic: topics.availability,
    state_topic: state,
    qos: 1,
  };
}

/** Returns the content of a label's state topic. An unknown value is null, which templates show as unknown. */
export const stateOf = (label: FullLabel, item: Item | undefined) => ({
  barcode: label.barcode,
  state: label.plState ?? "UNKNOWN",
  battery: label.batteryState === "UNKNOWN" ? null : (label.batteryState ?? null),
  batteryDaysLeft: label.batteryDaysLeft ?? null,
  itemId: item?.itemId ?? null,
  item: item === undefined ? null : (item.itemName ?? item.itemId).slice(0, MAX_STATE),
  price: item?.price ?? null,
  location: label.plLocation,
  updated: label.lastUpdate ?? null,
});

/** Returns the price that was sent as a command. Undefined if it is not a price. */
export function priceIn(payload: string): string | undefined {
  const price = payload.trim();
  return new RegExp(`^${PRICE}$`).test(price) ? price : undefined;
}
