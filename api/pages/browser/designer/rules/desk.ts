import { element } from "../../call.ts";
import { textsIn } from "../../texts.ts";
import type { Rule } from "./pack-tree.ts";

/** The edited rules: the body of a pack. */
export interface Pack {
  name: string;
  scenarios: readonly Rule[];
}

export interface ShownDesign {
  key: string;
  name: string;
  canvasId: string;
  /** The label types that can show it. */
  types: readonly number[];
}

export interface LabelSize {
  type: number;
  width: number;
  height: number;
}

/** The data that the server passes to the page. */
interface DeskData {
  isActive: boolean;
  live: Pack;
  draft?: Pack;
  tag?: string;
  designs: readonly ShownDesign[];
  labelTypes: readonly LabelSize[];
  models: readonly { name: string; labelTypes: readonly number[] }[];
  mayWrite: boolean;
  mayReadItems: boolean;
  mayReadLabels: boolean;
  store?: string;
}

const root = element("#rules");
export const { manage = "", base = "", pack: packId = "", currency } = root.dataset;
export const text = textsIn(root);
export const data = JSON.parse(root.dataset.desk ?? "{}") as DeskData;

/** Addresses of the management interface for all packs and for this one's draft. */
export const packsAddress = `${manage}/communication-packs`;
export const draftAddress = `${packsAddress}/${encodeURIComponent(packId)}/draft`;

/** Returns the design with a key; undefined if it does not exist. */
export const designOf = (key: string | null): ShownDesign | undefined => data.designs.find((one) => one.key === key);

/** Returns the name of a design, or its key if it does not exist. */
export const designName = (key: string): string => designOf(key)?.name ?? key;

/** Returns the sizes of labels that can show a design, such as 296 × 128. */
export function sizesOf({ types }: ShownDesign): string {
  const sizes = data.labelTypes.filter(({ type }) => types.includes(type));
  return [...new Set(sizes.map(({ width, height }) => `${width} × ${height}`))].join(", ");
}
