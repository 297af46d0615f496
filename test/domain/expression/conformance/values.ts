import { UnsignedInt } from "@marcbachmann/cel-js/evaluator";

/** A `cel.expr.Value` in the JSON form of protocol buffers: one field, whose name is the type. */
export type ProtoValue = Readonly<Record<string, unknown>>;

/** The value that represents a type, as returned by `type(1)`. */
class TypeName {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** The value as the evaluator represents it. */
export function readValue(proto: ProtoValue): unknown {
  const [[kind, content] = []] = Object.entries(proto);
  switch (kind) {
    case "nullValue":
      return null;
    case "boolValue":
    case "stringValue":
      return content;
    case "int64Value":
      return BigInt(content as string);
    case "uint64Value":
      return new UnsignedInt(BigInt(content as string));
    case "doubleValue":
      return Number(content);
    case "bytesValue":
      return Uint8Array.from(Buffer.from(content as string, "base64"));
    case "typeValue":
      return new TypeName(content === "null_type" ? "null" : (content as string));
    case "listValue":
      return ((content as { values?: ProtoValue[] }).values ?? []).map(readValue);
    case "mapValue": {
      const { entries = [] } = content as { entries?: { key: ProtoValue; value: ProtoValue }[] };
      return new Map(entries.map(({ key, value }) => [readValue(key), readValue(value)]));
    }
    default:
      throw new Error(`no value of kind ${kind} is expected in these cases`);
  }
}

/** Whether a value equals a case's expected value. Their types must be equal; NaN equals NaN. */
export function isSame(given: unknown, wanted: unknown): boolean {
  if (wanted instanceof TypeName) return (given as { name?: unknown } | null)?.name === wanted.name;
  if (wanted instanceof UnsignedInt) return given instanceof UnsignedInt && given.value === wanted.value;
  if (wanted instanceof Uint8Array) return given instanceof Uint8Array && Buffer.compare(given, wanted) === 0;
  if (Array.isArray(wanted)) {
    return Array.isArray(given) && given.length === wanted.length && wanted.every((one, at) => isSame(given[at], one));
  }
  if (wanted instanceof Map) return isSameMap(given, wanted);
  return typeof given === "number" && typeof wanted === "number" && wanted !== 0
    ? Object.is(given, wanted)
    : given === wanted;
}

/** The library represents a map literal as an object with string keys. */
function isSameMap(given: unknown, wanted: ReadonlyMap<unknown, unknown>): boolean {
  if (typeof given !== "object" || given === null) return false;
  const entries: [unknown, unknown][] = given instanceof Map ? [...given] : Object.entries(given);
  const valueAt = (key: unknown) => entries.find(([one]) => isSame(one, key) || one === String(key))?.[1];
  return entries.length === wanted.size && [...wanted].every(([key, value]) => isSame(valueAt(key), value));
}
