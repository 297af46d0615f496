/** What a JSON text holds, found without parsing it. Of a text that is not JSON it says nothing. */
export interface JsonShape {
  /** How many members its objects have, together, each name counted as often as it is written. */
  members: number;
  /** How deep lists and objects are nested. */
  depth: number;
}

const [QUOTE, COMMA, COLON, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('",:\\[]{}');

/** One pass over the bytes. In UTF-8 none of these characters is ever part of another one. */
export function shapeOfJson(bytes: Uint8Array): JsonShape {
  let members = 0;
  let open = 0;
  let depth = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) index = endOfText(bytes, index);
    else if (byte === COLON) members += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      open += 1;
      if (open > depth) depth = open;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) open -= 1;
  }
  return { members, depth };
}

/** The place of the quote that ends the text which begins at `start`. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let index = start + 1; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === BACKSLASH) index += 1;
    else if (byte === QUOTE) return index;
  }
  return bytes.length;
}

/**
 * How many members the objects of a parsed value have. Parsing keeps one of those that share a name, so this is the
 * number in the text unless a name stands twice in one object.
 */
export function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const parts: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : parts.length;
  return parts.reduce((sum: number, part) => sum + countMembers(part), own);
}

/** The JSON Pointer of the first name that stands twice in its object; the bytes must be JSON. */
export function findDuplicate(bytes: Buffer): string | undefined {
  const path: { names: Set<string> | undefined; at: string | number }[] = [];
  let text = { start: 0, end: 0 };
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    const inner = path.at(-1);
    if (byte === QUOTE) {
      text = { start: index, end: endOfText(bytes, index) };
      index = text.end;
    } else if (byte === COLON && inner?.names) {
      const name: string = JSON.parse(bytes.toString("utf8", text.start, text.end + 1));
      inner.at = name;
      if (inner.names.has(name)) return path.map(({ at }) => `/${escapePointer(String(at))}`).join("");
      inner.names.add(name);
    } else if (byte === COMMA && typeof inner?.at === "number" && !inner.names) inner.at += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT)
      path.push({ names: byte === OPEN_OBJECT ? new Set() : undefined, at: 0 });
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) path.pop();
  }
  return undefined;
}

const escapePointer = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
