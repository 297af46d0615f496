/**
 * Assigns one of this many pictures to a label, by the label's number, but never the label's current picture. Shelfwire would
 * not send the same picture again, so the label would wait a quarter of a minute for its retry.
 */
export function createDealer(pictures: number): (labelKey: string) => number {
  const dealt = new Map<string, number>();
  return (labelKey) => {
    const next = ((dealt.get(labelKey) ?? dealt.size) + 1) % pictures;
    dealt.set(labelKey, next);
    return next;
  };
}
