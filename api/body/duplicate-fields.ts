const [QUOTE, COMMA, COLON, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('",:\\[]{}');

/**
 * Counts the members of all objects in a parsed value. `JSON.parse` keeps only the last of several members with the same name,
 * so the count is lower than the number of names in the text if and only if an object names a field twice.
 */
export function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const parts: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : parts.length;
  return parts.reduce((sum: number, part) => sum + countMembers(part), own);
}

/** Returns the JSON Pointer of the first name that occurs twice in its object; the bytes must be valid JSON. */
export function findDuplicate(bytes: Buffer): string | undefined {
  const path: { names: Set<string> | undefined; at: string | number }[] = [];
  let text = { start: 0, end: 0 };
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    const innermost = path.at(-1);
    if (byte === QUOTE) {
      text = { start: index, end: endOfText(bytes, index) };
      index = text.end;
    } else if (byte === COLON && innermost?.names) {
      const name: string = JSON.parse(bytes.toString("utf8", text.start, text.end + 1));
      innermost.at = name;
      if (innermost.names.has(name)) return path.map(({ at }) => `/${escapePointer(String(at))}`).join("");
      innermost.names.add(name);
    } else if (byte === COMMA && typeof innermost?.at === "number" && !innermost.names) innermost.at += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT)
      path.push({ names: byte === OPEN_OBJECT ? new Set() : undefined, at: 0 });
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) path.pop();
  }
  return undefined;
}

/** Index of the quote that closes the string literal opened at `start`. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let index = start + 1; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === BACKSLASH) index += 1;
    else if (byte === QUOTE) return index;
  }
  return bytes.length;
}

const escapePointer = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
