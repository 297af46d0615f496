/** A value with one change, and the change in words. */
export interface ChangedValue {
  change: string;
  /** The depth of the change inside the value. 0 means the whole value. */
  depth: number;
  /** Whether the change leaves something out or makes it empty, instead of replacing it. */
  isEmpty: boolean;
  value: unknown;
}

const MAX_DEPTH = 5;
const empty: readonly unknown[] = [null, "", [], {}];
const other: readonly unknown[] = [true, -1, 17, 1.5, 1e15, "x", "a b\n", "9".repeat(70_000), ["x"], { x: "x" }];

/**
 * Yields every variant of a value that differs in one place, where the content is replaced or removed. In a list, only the first
 * element is changed.
 */
export function* changedValues(value: unknown, place = "", depth = 0): Generator<ChangedValue> {
  for (const [replacements, isEmpty] of [[empty, true] as const, [other, false] as const])
    for (const one of replacements)
      yield { change: `${place || "the body"} is ${JSON.stringify(one).slice(0, 40)}`, depth, isEmpty, value: one };
  if (depth === MAX_DEPTH || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    const [first, ...rest] = value;
    for (const changed of changedValues(first, `${place}/0`, depth + 1))
      yield { ...changed, value: [changed.value, ...rest] };
    return;
  }
  for (const [name, field] of Object.entries(value)) {
    const { [name]: _, ...others } = value as Record<string, unknown>;
    yield { change: `${place}/${name} is absent`, depth: depth + 1, isEmpty: true, value: others };
    for (const changed of changedValues(field, `${place}/${name}`, depth + 1))
      yield { ...changed, value: { ...value, [name]: changed.value } };
  }
}
