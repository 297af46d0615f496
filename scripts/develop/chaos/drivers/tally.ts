/** The pictures that were sent to a label and those that it has shown, in order, as digests. */
export interface LabelStory {
  sent: string[];
  shown: string[];
}

/** Records which pictures are sent to labels and which they show. */
export function createTally() {
  const stories = new Map<string, LabelStory>();
  const storyOf = (barcode: string): LabelStory => {
    const story = stories.get(barcode) ?? { sent: [], shown: [] };
    stories.set(barcode, story);
    return story;
  };
  return {
    storyOf,
    /** Returns how many labels do not yet show the last picture that was sent to them. */
    unsettled: () => [...stories.values()].filter(({ sent, shown }) => sent.at(-1) !== shown.at(-1)).length,
    sent: (barcode: string, digest: string) => void storyOf(barcode).sent.push(digest),
    /** A picture that is shown again counts once. */
    shows(barcode: string, digest: string): void {
      const { shown } = storyOf(barcode);
      if (shown.at(-1) !== digest) shown.push(digest);
    },
  };
}

export type Tally = ReturnType<typeof createTally>;

/**
 * Returns what is wrong with a label's story. `lists` are the label's pictures in all price lists, oldest first. The last
 * picture shown must be the newest one. An older picture must not follow a newer one, in what was sent or in what was shown.
 */
export function findWrong(barcode: string, { sent, shown }: LabelStory, lists: readonly string[]): string[] {
  const last = lists.length - 1;
  const wrong: string[] = [];
  if (shown.at(-1) !== lists[last]) wrong.push(`label ${barcode} does not show the picture of list ${lists.length}`);
  for (const [what, pictures] of [
    ["was sent", sent],
    ["showed", shown],
  ] as const) {
    const positions = pictures.map((picture) => lists.lastIndexOf(picture));
    if (positions.includes(-1)) wrong.push(`label ${barcode} ${what} a picture of no list`);
    const back = positions.findIndex((position, index) => position < (positions[index - 1] ?? 0));
    if (back > 0)
      wrong.push(
        `label ${barcode} ${what} the picture of list ${(positions[back] ?? 0) + 1} after that of list ${(positions[back - 1] ?? 0) + 1}`,
      );
  }
  return wrong;
}

/** Returns how many transmissions a changed picture took, not counting those that replaced a lost one. */
export function transmissionsPerChange(stories: readonly LabelStory[], lost: number): number {
  const transmissions = stories.reduce((sum, { sent }) => sum + sent.length, 0);
  const changes = stories.reduce((sum, { sent }) => sum + new Set(sent).size, 0);
  return (transmissions - lost) / Math.max(1, changes);
}
