import type { EmulatedLabel, Page } from "./emulated-label.ts";

/** Sets the pages of labels, and tracks which have changed since a caller last asked. */
export function createChanges(labels: () => Iterable<EmulatedLabel>) {
  let changes = 0;
  const shownSince = new Map<string, { label: EmulatedLabel; page: number }>();
  return {
    set(label: EmulatedLabel, page: number, shown: Page): void {
      changes += 1;
      label.change = changes;
      label.pages.set(page, shown);
    },

    noteShown: (label: EmulatedLabel, page: number) => void shownSince.set(`${label.barcode} ${page}`, { label, page }),

    /**
     * Returns the SHA-256 of the first page, by barcode, for each label that changed after the given number of changes, and the
     * current number of changes.
     */
    glassBehind(known: number): { changes: number; glass: Record<string, string | undefined> } {
      const changed = [...labels()].filter(({ change }) => change > known);
      const glass = changed.map(({ barcode, pages }) => [barcode, pages.get(0)?.sha256]);
      return { changes, glass: Object.fromEntries(glass) };
    },

    /** Returns the pages that were delivered since the last call. */
    takeShown(): { label: EmulatedLabel; page: number }[] {
      const taken = [...shownSince.values()];
      shownSince.clear();
      return taken;
    },
  };
}
