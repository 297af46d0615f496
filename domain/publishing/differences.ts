import { isDeepStrictEqual } from "node:util";
import type { Difference } from "../../schemas/version.ts";
import { keptInPlace, matchEntries } from "./match-entries.ts";

/** A longer list, for example from comparing two unrelated designs, would not help anybody. */
export const MAX_DIFFERENCES = 500;

interface Place {
  /** The position in the later content, and in the earlier one. */
  pointer: string;
  formerPointer: string;
  names: readonly string[];
}

/**
 * Returns the differences between two contents of a pack, a design or a canvas design. Objects in lists, such as scenarios
 * and elements, are recognised by their id or name wherever they are, otherwise by their values. A list of plain values is
 * one value.
 */
export function differencesOf(before: unknown, after: unknown): { differences: Difference[]; isCut: boolean } {
  const found = compare(before, after, { pointer: "", formerPointer: "", names: [] });
  // Differences beyond the limit are not computed.
  const differences = [...found.take(MAX_DIFFERENCES + 1)];
  return { differences: differences.slice(0, MAX_DIFFERENCES), isCut: differences.length > MAX_DIFFERENCES };
}

function* compare(before: unknown, after: unknown, place: Place): Generator<Difference> {
  if (isDeepStrictEqual(before, after)) return;
  if (isObject(before) && isObject(after)) return yield* compareObjects(before, after, place);
  if (isListOfObjects(before) && isListOfObjects(after)) return yield* compareLists(before, after, place);
  yield { ...described("CHANGED", place), before, after };
}

function* compareObjects(before: Fields, after: Fields, place: Place): Generator<Difference> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const inner = placeIn(place, name, name);
    if (!Object.hasOwn(after, name)) yield { ...removedAt(inner), before: before[name] };
    else if (!Object.hasOwn(before, name)) yield { ...described("ADDED", inner), after: after[name] };
    else yield* compare(before[name], after[name], inner);
  }
}

function* compareLists(before: readonly Fields[], after: readonly Fields[], place: Place): Generator<Difference> {
  const formerIndexes = matchEntries(before, after);
  const kept = new Set(formerIndexes);
  for (const [index, entry] of before.entries())
    if (!kept.has(index)) yield { ...removedAt(placeIn(place, index, index, nameOf(entry))), before: entry };
  const inPlace = keptInPlace(formerIndexes);
  for (const [index, entry] of after.entries()) {
    const former = formerIndexes[index];
    const inner = placeIn(place, index, former ?? index, nameOf(entry));
    if (former === undefined) {
      yield { ...described("ADDED", inner), after: entry };
      continue;
    }
    if (!inPlace.has(index)) yield { ...described("MOVED", inner), before: former, after: index };
    yield* compare(before[former], entry, inner);
  }
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isListOfObjects = (value: unknown): value is Fields[] => Array.isArray(value) && value.every(isObject);

const nameOf = ({ name, id, kind }: Fields): string | undefined =>
  [name, id, kind].find((text): text is string => typeof text === "string" && text !== "");

function placeIn(place: Place, part: string | number, formerPart: string | number, name?: string): Place {
  return {
    pointer: `${place.pointer}/${escaped(part)}`,
    formerPointer: `${place.formerPointer}/${escaped(formerPart)}`,
    names: name === undefined ? place.names : [...place.names, name],
  };
}

const escaped = (part: string | number): string => String(part).replaceAll("~", "~0").replaceAll("/", "~1");

const described = (kind: Difference["kind"], { pointer, names }: Place) => ({ pointer, kind, names: [...names] });

const removedAt = ({ formerPointer, names }: Place) =>
  described("REMOVED", { pointer: formerPointer, formerPointer, names });
