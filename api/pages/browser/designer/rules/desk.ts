import { element } from "../../call.ts";
import { textsIn } from "../../texts.ts";
import type { Rule } from "./pack-tree.ts";

/** The rules as they are edited: the body of a pack. */
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

/** What the server shows the page to work on. */
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

/** Addresses of the management interface about this pack, and about all packs. */
export const packsAddress = `${manage}/communication-packs`;
export const draftAddress = `${packsAddress}/${encodeURIComponent(packId)}/draft`;

/** The design with a key; undefined if it does not exist. */
export const designOf = (key: string | null): ShownDesign | undefined => data.designs.find((one) => one.key === key);

/** The name of a design, or its key if it does not exist. */
export const designName = (key: string): string => designOf(key)?.name ?? key;

/** The sizes of labels that can show a design, such as 296 × 128. */
export function sizesOf({ types }: ShownDesign): string {
  const sizes = data.labelTypes.filter(({ type }) => types.includes(type));
  return [...new Set(sizes.map(({ width, height }) => `${width} × ${height}`))].join(", ");
}
