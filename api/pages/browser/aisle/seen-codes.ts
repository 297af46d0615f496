/** A code that stays in front of the camera for this long counts as one scan. */
const SAME_SCAN_MS = 2_500;

/**
 * Decides which codes in a picture are new. While an earlier code is being processed (`isBusy`) no code counts, and a
 * code that appears in the meantime is new afterwards. Times are in milliseconds of any monotonic clock.
 */
export function createSeenCodes() {
  const seenAt = new Map<string, number>();
  return (codes: readonly string[], now: number, isBusy: boolean): string[] => {
    for (const [code, at] of seenAt) if (now - at > SAME_SCAN_MS) seenAt.delete(code);
    const fresh = codes.filter((code) => !seenAt.has(code));
    for (const code of codes) if (!isBusy || seenAt.has(code)) seenAt.set(code, now);
    return isBusy ? [] : fresh;
  };
}
