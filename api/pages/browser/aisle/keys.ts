/** Minimum length of a scanner's code, so that Enter after a stray key is not a scan. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 128;
/** Keys further apart than this do not belong to one scan. */
const MAX_GAP_MS = 1_000;

/**
 * Reads a scanner that types: returns a code once its Enter arrives. Times are in milliseconds of any monotonic clock.
 */
export function createKeyReader() {
  let typed = "";
  let typedAt = Number.NEGATIVE_INFINITY;
  return (key: string, at: number): string | undefined => {
    if (at - typedAt > MAX_GAP_MS) typed = "";
    typedAt = at;
    if (key === "Enter") {
      const code = typed;
      typed = "";
      return code.length >= MIN_LENGTH ? code : undefined;
    }
    if (key.length === 1 && key !== " ") typed = `${typed}${key}`.slice(-MAX_LENGTH);
    return undefined;
  };
}
