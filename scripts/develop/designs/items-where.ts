import { itemVariables } from "../../../domain/expression/variables.ts";
import { designCompiler } from "../../../drawing/values/template.ts";
import type { Item } from "../../../schemas/item.ts";
import type { Store } from "../../../schemas/store.ts";

/** Returns the items for which a condition (an expression as in a design) holds. Throws ExpressionError if it is invalid. */
export function itemsWhere(items: readonly Item[], condition: string, store: Store): Item[] {
  const expression = designCompiler(condition);
  const { name, currency, locale, timeZone } = store;
  const around = { link: {}, device: {}, group: {}, store: { name, currency, locale, timeZone } };
  return items.filter((item) => expression.evaluate({ ...around, item: itemVariables(item) }));
}
