/** When a scenario applies, as the interface stores it. */
export interface Period {
  from?: string;
  to?: string;
}

/** A scenario, which pages call a rule. */
export interface Rule {
  id: string;
  name: string;
  cel_expression?: string;
  design_ids: readonly string[];
  priority?: number;
  validityPeriod?: Period;
  children: readonly Rule[];
}

/** A rule in the list that shows the tree. */
export interface Row {
  rule: Rule;
  /** Level in the tree, from 1. */
  level: number;
  /** Index among its siblings, from 0. */
  index: number;
  siblings: number;
  /** Its place in the pack as a JSON Pointer. */
  pointer: string;
  parent: string | undefined;
}

/** Returns all rules of a pack, each before its children. */
export function rowsOf(rules: readonly Rule[], level = 1, pointer = "/scenarios", parent?: string): Row[] {
  return rules.flatMap((rule, index) => {
    const own = `${pointer}/${index}`;
    return [
      { rule, level, index, siblings: rules.length, pointer: own, parent },
      ...rowsOf(rule.children, level + 1, `${own}/children`, rule.id),
    ];
  });
}

/** Returns the rules with one of them changed. */
export const changed = (rules: readonly Rule[], id: string, change: (rule: Rule) => Rule): Rule[] =>
  rules.map((rule) => (rule.id === id ? change(rule) : { ...rule, children: changed(rule.children, id, change) }));

/** Returns the rules without one of them and everything below it. */
export const removed = (rules: readonly Rule[], id: string): Rule[] =>
  rules.filter((rule) => rule.id !== id).map((rule) => ({ ...rule, children: removed(rule.children, id) }));

export type Where = "before" | "after" | "inside";

/** Returns the rules with one added before, after or inside the rule `id`, or at the end if there is no id. */
export function inserted(rules: readonly Rule[], added: Rule, where: Where, id: string | undefined): Rule[] {
  if (id === undefined) return [...rules, added];
  return rules.flatMap((rule) => {
    if (rule.id !== id) return [{ ...rule, children: inserted(rule.children, added, where, id) }];
    if (where === "inside") return [{ ...rule, children: [...rule.children, added] }];
    return where === "before" ? [added, rule] : [rule, added];
  });
}

/** Returns the rules with one of them moved next to or inside another; unchanged if the target is below it. */
export function placed(rules: readonly Rule[], id: string, where: Where, target: string): readonly Rule[] {
  const rule = found(rules, id);
  if (rule === undefined || id === target || found(rule.children, target) !== undefined) return rules;
  return inserted(removed(rules, id), rule, where, target);
}

export type Step = "up" | "down" | "in" | "out";

/** Returns the rules with one of them moved by a step: among its siblings, into the previous one, or out of its parent. */
export function moved(rules: readonly Rule[], id: string, step: Step): readonly Rule[] {
  const rows = rowsOf(rules);
  const row = rows.find(({ rule }) => rule.id === id);
  if (row === undefined) return rules;
  const sibling = (index: number) => rows.find((one) => one.parent === row.parent && one.index === index)?.rule.id;
  const before = sibling(row.index - 1);
  const after = sibling(row.index + 1);
  if (step === "up" && before !== undefined) return placed(rules, id, "before", before);
  if (step === "down" && after !== undefined) return placed(rules, id, "after", after);
  if (step === "in" && before !== undefined) return placed(rules, id, "inside", before);
  if (step === "out" && row.parent !== undefined) return placed(rules, id, "after", row.parent);
  return rules;
}

/** Returns the rule with an id, at any depth. */
export const found = (rules: readonly Rule[], id: string): Rule | undefined =>
  rowsOf(rules).find(({ rule }) => rule.id === id)?.rule;
