import { encodePng } from "../../../../drawing/pixels/png.ts";
import type { Item } from "../../../../schemas/item.ts";
import type { LabelType } from "../../../../schemas/label-type.ts";
import { labelTypes } from "../../../demo/catalogue.ts";
import { chooseDemoDesign, drawDemo } from "../../../demo/draw.ts";

/** A product on a label, with the design that the rules choose. */
export interface Order {
  item: Item;
  labelType: LabelType;
  design: string | undefined;
}

/** Returns each item on a label of this demo type. */
export function ordersOf(items: readonly Item[], type: number): Order[] {
  const labelType = labelTypes.find((candidate) => candidate.type === type);
  if (labelType === undefined) throw new Error(`the demo has no label type ${type}`);
  return items.map((item) => ({ item, labelType, design: chooseDemoDesign(item, type) }));
}

/** Draws like Shelfwire. */
export const drawOurs = ({ item, labelType, design }: Order): Buffer => encodePng(drawDemo(item, labelType, design));

/** Measures pictures per second of CPU time, which does not depend on other processes. */
export async function rateOf(
  orders: readonly Order[],
  draw: (order: Order, index: number) => Buffer | Promise<Buffer>,
): Promise<number> {
  const before = process.cpuUsage();
  for (const [index, order] of orders.entries()) await draw(order, index);
  const { user, system } = process.cpuUsage(before);
  return (orders.length * 1e6) / (user + system);
}
