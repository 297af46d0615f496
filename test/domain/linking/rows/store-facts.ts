import type { LinkingFacts } from "../../../../domain/linking/plan-label-rows.ts";
import type { Label, LabelPatch } from "../../../../schemas/label.ts";
import type { LabelType } from "../../../../schemas/label-type.ts";

/** This store's barcodes consist of `L`, the label type and a number: `L1628-1`. */
const readType = (barcode: string): number | undefined => {
  const type = /^L(\d{4})-\d+$/.exec(barcode)?.[1];
  return type === undefined ? undefined : Number(type);
};

const labelType = (type: number): [number, LabelType] => [
  type,
  { type, width: 296, height: 128, colors: ["white", "black"], display: "matrix", flash: true, pages: 1 },
];

export const label = (barcode: string, fields: Partial<Label> = {}): Label => ({
  barcode,
  type: readType(barcode) ?? 0,
  modelName: "single",
  stamps: {},
  ...fields,
});

/**
 * A store with the items `milk` and `bread`; the SIC `385` belongs to the milk. The models `single` and `triple` are
 * for labels of type 1628, `tiny` is for type 1627, and no model is for type 1340.
 */
export const aStore = (facts: Partial<LinkingFacts> = {}): LinkingFacts => ({
  readType,
  store: {
    linkDepartments: [
      { id: "1", alias: "floor", transceivers: ["T1"] },
      { id: "2", alias: "roof", transceivers: [] },
    ],
  },
  labelTypes: new Map([1628, 1627, 1340].map(labelType)),
  models: [
    { name: "tiny", labelTypes: [1627], linkPositions: 1 },
    { name: "single", labelTypes: [1627, 1628], linkPositions: 1 },
    { name: "triple", labelTypes: [1628], linkPositions: 3 },
  ],
  labels: new Map(),
  occupied: new Map(),
  links: new Map(),
  designs: new Map(),
  itemOf: (code) => new Map(Object.entries({ milk: "milk", bread: "bread", "385": "milk" })).get(code),
  ...facts,
});

export const BARCODE = "L1628-1";

/** Rows as a request contains them; the first has stamp 1. */
export const stamped = (...rows: Partial<LabelPatch>[]) =>
  rows.map((row, index) => ({ row: { barcode: BARCODE, ...row }, stamp: index + 1 }));
