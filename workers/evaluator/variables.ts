import { type Item, propertiesOf } from "../../schemas/item.ts";
import type { Link } from "../../schemas/link.ts";
import type { Variables } from "./expression.ts";

/** An item's own fields that an expression may name, where no property has the name. */
const fields = ["itemId", "itemName", "price", "itemGroup", "department", "presentation"] as const;

/** The `item` map of an expression: its properties, and its own fields under names that no property has. */
export function itemVariables(item: Item): Map<string, string> {
  const map = new Map<string, string>();
  for (const field of fields) {
    const value = item[field];
    if (value !== undefined) map.set(field, value);
  }
  for (const { key, value } of propertiesOf(item)) map.set(key, value);
  return map;
}

/** The maps of a scenario's expression (specification, rule 4). Integers are bigint, as CEL wants them. */
export function scenarioVariables(item: Item, link: Pick<Link, "facings" | "location">, type: number): Variables {
  return {
    item: itemVariables(item),
    link: {
      ...(link.location !== undefined && { location: link.location }),
      ...(link.facings !== undefined && { facings: BigInt(link.facings) }),
    },
    device: { type: BigInt(type) },
  };
}
