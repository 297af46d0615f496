import type { Color, LabelType, Model, Store, Tenant } from "../../schemas/tenant.ts";

/** The demo tenant and its store. */
export const TENANT_ID = "demo";
export const STORE_ID = "main";

export const demoTenant: Tenant = { name: "Demo retailer" };

export const demoStore: Store = {
  name: "Main street",
  timeZone: "Europe/Zagreb",
  currency: "EUR",
  locale: "hr-HR",
  linkDepartments: [
    { id: "1", alias: "sales-floor", transceivers: ["T1", "T2"] },
    { id: "2", alias: "warehouse", transceivers: ["T3"] },
  ],
  parameters: { ITEM_MUST_EXIST: true },
};

const BW: Color[] = ["white", "black"];
const BWR: Color[] = ["white", "black", "red"];
const BWY: Color[] = ["white", "black", "yellow"];

const matrix = (type: number, width: number, height: number, colors: Color[]): LabelType => ({
  type,
  width,
  height,
  colors,
  display: "matrix",
  flash: true,
  pages: 1,
});

/** The default label types. 1210 is a segment label, which no vendor's catalogue defines. */
export const labelTypes: readonly LabelType[] = [
  { ...matrix(1210, 96, 32, BW), display: "segment" },
  matrix(1314, 400, 300, BW),
  matrix(1317, 152, 152, BW),
  matrix(1318, 208, 112, BW),
  matrix(1327, 208, 112, BWR),
  matrix(1328, 296, 128, BWR),
  matrix(1340, 800, 480, BWR),
  matrix(1344, 296, 128, BWY),
  matrix(1353, 648, 480, BWR),
  matrix(1627, 296, 128, BWR),
  matrix(1628, 296, 128, BWR),
  matrix(1639, 152, 152, BWR),
];

/** One model for each size, for labels that show one item. */
export const models: readonly Model[] = [
  { name: "Small", labelTypes: [1317, 1318, 1327, 1639], linkPositions: 1 },
  { name: "Medium", labelTypes: [1328, 1344, 1627, 1628], linkPositions: 1 },
  { name: "Large", labelTypes: [1314], linkPositions: 1 },
  { name: "Poster", labelTypes: [1340, 1353], linkPositions: 1 },
  { name: "Segment", labelTypes: [1210], linkPositions: 1 },
];
