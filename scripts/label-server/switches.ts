import type { EmulatedLabel, Transmission } from "./emulated-label.ts";

interface SwitchesWorld {
  labels(): Iterable<EmulatedLabel>;
  show(label: EmulatedLabel, transmission: Transmission): void;
  now(): Date;
}

/** A timer with a longer delay would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A switch whose order has arrived: at `showAt`, labels show the pictures that they keep for it. */
interface Ordered {
  showAt: number;
  cancel(): void;
}

/**
 * Emulates switches. Labels keep pictures, and show them at the ordered time by their own clocks. A label that is asleep when
 * the order arrives receives it once it is awake.
 */
export function createSwitches({ labels, show, now }: SwitchesWorld) {
  const ordered = new Map<string, Ordered>();

  /** Returns a store's labels that keep something for a switch, each with what it keeps. */
  const keeping = (store: string, id: string) =>
    [...labels()]
      .filter((label) => label.store === store)
      .flatMap((label) => [...label.kept.values()].map((kept) => ({ label, kept })))
      .filter(({ kept }) => kept.switch === id);

  function showAll(store: string, id: string): void {
    for (const { label, kept } of keeping(store, id)) {
      label.kept.delete(kept.page);
      if (kept.ordered || !label.offline) show(label, kept);
    }
  }

  return {
    /** Another order for the same switch replaces the previous one. */
    order(store: string, id: string, showAt: Date): void {
      ordered.get(`${store} ${id}`)?.cancel();
      for (const { label, kept } of keeping(store, id)) if (!label.offline) kept.ordered = true;
      const cancel = runAt(showAt.getTime(), now, () => showAll(store, id));
      ordered.set(`${store} ${id}`, { showAt: showAt.getTime(), cancel });
    },

    callOff(store: string, id: string): void {
      ordered.get(`${store} ${id}`)?.cancel();
      ordered.delete(`${store} ${id}`);
      for (const { label, kept } of keeping(store, id)) label.kept.delete(kept.page);
    },

    /** Whether the time of a switch has passed. */
    isOver: (store: string, id: string): boolean =>
      (ordered.get(`${store} ${id}`)?.showAt ?? Number.POSITIVE_INFINITY) <= now().getTime(),
  };
}

/**
 * Calls `run` once the clock has reached a time. A timer may fire a millisecond early, but a label must not show its picture early.
 * Returns a function that cancels this.
 */
function runAt(time: number, now: () => Date, run: () => void): () => void {
  let cancel: () => void;
  const wait = () => {
    const waitMs = time - now().getTime();
    if (waitMs <= 0) {
      const due = setImmediate(run);
      cancel = () => clearImmediate(due);
      return;
    }
    // A picture that has not been shown yet must not keep a process alive after its server has ended.
    const timer = setTimeout(wait, Math.min(waitMs, MAX_TIMER_MS)).unref();
    cancel = () => clearTimeout(timer);
  };
  wait();
  return () => cancel();
}
