/**
 * Assigns one of this many pictures to a label, by the label's number, but never the picture that it has. Shelfwire sends no
 * picture twice, so the label would wait for its retry, a quarter of a minute.
 */
export function createDealer(pictures: number): (labelKey: string) => number {
  const dealt = new Map<string, number>();
  return (labelKey) => {
    const next = ((dealt.get(labelKey) ?? dealt.size) + 1) % pictures;
    dealt.set(labelKey, next);
    return next;
  };
}
