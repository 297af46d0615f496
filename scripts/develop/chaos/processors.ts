import { cpus } from "node:os";

/** The work that the machine's processors have done by a given moment, in milliseconds. */
interface Sample {
  at: number;
  busy: number;
  all: number;
}

/** Returns how busy the machine's processors were between two moments, from the nearest samples. */
export function createProcessorLog() {
  const samples: Sample[] = [];
  return {
    note(at: number): void {
      const times = cpus().map((processor) => processor.times);
      const idle = times.reduce((sum, one) => sum + one.idle, 0);
      const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
      samples.push({ at, busy: all - idle, all });
    },
    /** Returns a share from 0 to 1. Undefined if nothing was recorded between the two moments. */
    busyShare(from: number, to: number): number | undefined {
      const within = samples.filter(({ at }) => at >= from && at <= to);
      const [first, last] = [within[0], within.at(-1)];
      return first && last && last.all > first.all ? (last.busy - first.busy) / (last.all - first.all) : undefined;
    },
  };
}
