import type { Rule } from "../pack-tree.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A pack as the page edits it. */
export interface EditablePack {
  name: string;
  scenarios: readonly Rule[];
}

/**
 * Returns the draft of a pack in the form that the page edits: drafts may be incomplete, name designs by their short ids
 * (`keyOf` returns their keys), and have scenarios without ids.
 */
export function editablePack({ name, scenarios }: Fields, keyOf: (design: string) => string): EditablePack {
  const taken = new Set<string>();

  function rulesIn(value: unknown): Rule[] {
    return Array.isArray(value) ? value.filter(isObject).map(ruleOf) : [];
  }

  function ruleOf({ id, name, design_ids: designs, children, ...others }: Fields): Rule {
    const own = { ...others, id: freeId(textOf(id) || textOf(name)), name: textOf(name) };
    const keys = Array.isArray(designs) ? designs.map(textOf).map(keyOf) : [];
    return { ...own, design_ids: keys, children: rulesIn(children) };
  }

  function freeId(wanted: string): string {
    let id = wanted;
    for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
    taken.add(id);
    return id;
  }

  return { name: textOf(name), scenarios: rulesIn(scenarios) };
}

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
