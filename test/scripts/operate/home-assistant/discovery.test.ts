import { Ajv } from "ajv";
import test from "ava";
import fc from "fast-check";
import {
  discoveryOf,
  type FullLabel,
  priceIn,
  stateOf,
  topicsOf,
} from "../../../../scripts/operate/home-assistant/discovery.ts";
import { DeviceDiscovery } from "../../../../scripts/operate/home-assistant/discovery-schema.ts";

const isDiscovery = new Ajv({ strict: false, allErrors: true }).compile(DeviceDiscovery);
const where = { discovery: "homeassistant", prefix: "shelfwire-labels", tenant: "demo", store: "main" };
const topics = topicsOf(where);

const label: fc.Arbitrary<FullLabel> = fc.record({
  barcode: fc.string({ minLength: 1, maxLength: 64 }).filter((text) => text !== "." && text !== ".."),
  modelName: fc.option(fc.string({ minLength: 1 })),
  plLocation: fc.option(fc.string({ minLength: 1 })),
  links: fc.constant([]),
  lastPress: fc.option(
    fc.record({ button: fc.integer({ min: 1, max: 16 }), time: fc.constant("2026-03-02 08:15:30") }),
  ),
});

test("every label's discovery message matches Home Assistant's documented schema", (t) => {
  fc.assert(
    fc.property(label, fc.boolean(), (one, setsPrices) => {
      const payload = discoveryOf(one, topics, { setsPrices });
      t.true(isDiscovery(JSON.parse(JSON.stringify(payload))), JSON.stringify(isDiscovery.errors));
      t.regex(topics.of(one.barcode).config, /^homeassistant\/device\/[A-Za-z0-9_-]+\/config$/);
    }),
  );
});

test("a price can be set only if this is allowed, and a button exists once it was pressed", (t) => {
  const plain: FullLabel = { barcode: "D1", modelName: null, plLocation: null, links: [] };
  const names = (one: FullLabel, setsPrices: boolean) =>
    Object.keys(discoveryOf(one, topics, { setsPrices }).components);
  t.deepEqual(names(plain, false), ["state", "battery", "battery_days", "item", "price", "picture"]);
  t.deepEqual(names(plain, true).slice(6), ["set_price"]);
  t.deepEqual(names({ ...plain, lastPress: { button: 1, time: "" } }, false).slice(6), ["press"]);
});

test("devices, topics and entities of different labels and stores differ", (t) => {
  const id = fc.stringMatching(/^[ab95_-]{1,5}$/);
  const text = fc.string({ minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.tuple(id, id, text), fc.tuple(id, id, text), (a, b) => {
      const [first, second] = [a, b].map(([tenant, store, barcode]) =>
        topicsOf({ ...where, tenant, store }).of(barcode),
      );
      t.is(first?.config === second?.config && first?.state === second?.state, a.join("/") === b.join("/"));
    }),
  );
});

test("a command's topic names its label, and a topic of another store names none", (t) => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (barcode) => t.is(topics.barcodeOf(topics.of(barcode).setPrice), barcode)),
  );
  t.is(topics.barcodeOf("shelfwire-labels/demo/main2/labels/D1/price/set"), undefined);
  t.is(topics.barcodeOf(topics.of("D1").state), undefined);
});

for (const [payload, price] of [
  ["1.99", "1.99"],
  [" 12 ", "12"],
  ["1,99", undefined],
  ["-1", undefined],
  ["", undefined],
  ["1e3", undefined],
] as const) {
  test(`"${payload}" as a command is ${price === undefined ? "no price" : `the price ${price}`}`, (t) =>
    t.is(priceIn(payload), price));
}

test("unknown values are null, and a long name fits into a state", (t) => {
  const state = stateOf(
    { barcode: "D1", modelName: null, plLocation: null, links: [], batteryState: "UNKNOWN" },
    { itemId: "7", itemName: "x".repeat(1024), price: null },
  );
  t.like(state, { battery: null, batteryDaysLeft: null, price: null, state: "UNKNOWN" });
  t.is(state.item?.length, 255);
});
