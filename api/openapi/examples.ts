import type { TSchema } from "typebox";
import { fieldOf } from "./fields.ts";

/** The keywords of a schema from which an example is composed. */
interface Shape {
  title?: string;
  type?: string | string[];
  format?: string;
  minLength?: number;
  minimum?: number;
  examples?: unknown[];
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  oneOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
}

const barcode = "D42FLOFYMKP013280";
const itemPatch = {
  itemName: "Apple juice 1 l",
  price: "1.99",
  sics: ["3850000000017"],
  properties: { priceKind: "regular", unitPrice: "1.99", quantity: "1 l" },
};

/** Complete examples for bodies whose fields exclude each other or are rarely sent together. */
const wholeExamples: Readonly<Record<string, unknown>> = {
  ItemPatch: { itemId: "4711", ...itemPatch },
  ItemPatchByPath: itemPatch,
  ItemLinkRow: { barcode, displayPosition: 0 },
  LabelPatch: { barcode, plLocation: "A-12", links: [{ itemId: "4711", displayPosition: 0 }] },
  LinkRow: { itemId: "4711", displayPosition: 0 },
  LinkSingle: { barcode, itemId: "4711" },
  LinkCreation: { barcode, itemId: "4711", displayPosition: 0, designerlink: { canvasId: "promotion", author: "Ana" } },
  LinkPatch: { itemId: "4711", designerlink: { canvasId: "promotion", author: "Ana" } },
  PreviewPosition: {
    displayPosition: 0,
    item: { itemId: "4711", ...itemPatch },
    ecclink: { eccModelId: "offer", parameters: { banner: "OFFER" }, renderingHints: {} },
  },
  FlashStep: { barcode, color: "#00ff00", duration: 60 },
  // In the future, so that the example can be sent.
  SwitchOrder: { validFrom: "2090-01-09 06:00:00", deadline: "2090-01-09 05:55:00", atDeadline: "GO_AHEAD" },
  CampaignOrder: {
    name: "Spring offers",
    from: "2090-03-03 06:00:00",
    until: "2090-03-07 20:00:00",
    items: [{ itemId: "4711", price: "1.49" }, { itemId: "4712" }],
    prices: { percent: 20, ending: "9" },
    properties: { priceKind: "special" },
  },
  ApiUserOrder: { stores: ["main"], role: "shop", password: "a password of 12 characters" },
  InvitationOrder: { stores: ["main"], role: "shop" },
  CampaignPatch: { until: "2090-03-08 20:00:00", prices: { percent: 25 } },
  CampaignFilter: { itemGroup: "Juices" },
  CampaignPrices: { percent: 20, ending: "9" },
  LabelReport: {
    store: "t/demo/s/main",
    barcode,
    kind: "acknowledged",
    at: "2026-03-02T07:15:30.000Z",
    transmission: 42,
    page: 0,
    battery: "OK",
    transceiver: "T1",
  },
};

/**
 * Returns an example for a schema: its own, or composed from the examples of its fields. A test validates each example
 * against its schema.
 */
export const exampleOf = (schema: TSchema, name = ""): unknown => compose(schema as Shape, name, "");

function compose(shape: Shape, name: string, owner: string): unknown {
  const { title, examples, properties, items } = shape;
  if (examples !== undefined) return examples[0];
  if (title !== undefined && Object.hasOwn(wholeExamples, title)) return wholeExamples[title];
  if (shape.const !== undefined) return shape.const;
  const { example } = fieldOf(name, owner);
  if (example !== undefined && isOfType(example, shape)) return example;
  for (const known of [shape.default, shape.enum?.[0]]) if (known !== undefined) return known;
  if (properties !== undefined) {
    const fields = Object.entries(properties);
    return Object.fromEntries(fields.map(([field, schema]) => [field, compose(schema, field, title ?? owner)]));
  }
  if (items !== undefined) return [compose(items, name, owner)];
  const [choice] = shape.anyOf ?? shape.oneOf ?? [];
  return choice === undefined ? plainExample(shape) : compose(choice, name, owner);
}

function plainExample({ type, format, minLength = 0, minimum = 0 }: Shape): unknown {
  switch ([type].flat()[0]) {
    case "string":
      return format === "date-time" || format === "instant"
        ? "2026-03-02T07:15:30.000Z"
        : "text".padEnd(minLength, "x");
    case "integer":
    case "number":
      return minimum;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return null;
  }
}

/** Whether a field's usual example has the type of this schema: `page` is a string in one body and a number in another. */
function isOfType(example: unknown, { type, enum: values, items }: Shape): boolean {
  if (values !== undefined) return values.includes(example);
  if (Array.isArray(example)) {
    return [type].flat().includes("array") && example.every((entry) => items === undefined || isOfType(entry, items));
  }
  const actual = example === null ? "null" : typeof example;
  return (
    type === undefined || [type].flat().some((name) => name === actual || (name === "integer" && actual === "number"))
  );
}
