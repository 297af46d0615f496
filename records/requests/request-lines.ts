import type { Caller } from "./caller.ts";
import { BYTES_PER_COMMAND, type SplitRequest, type splitInSteps } from "./chunks.ts";

/** A small request, ready to be numbered. */
export interface Ready {
  caller: Caller;
  split: SplitRequest;
}

type Steps = ReturnType<typeof splitInSteps>;

/** Number of large requests that are serialised and written at the same time; other large requests wait in line. */
const LARGE_AT_ONCE = 2;

/**
 * Commits small requests in groups, one group at a time: requests that arrive while a group is numbered and written
 * (`onWritten`) form the next group. So a store's numbers follow the order in which its requests arrive.
 */
export function createGroups(
  commit: (group: readonly Ready[], onWritten: () => void) => Promise<void>,
): (ready: Ready) => void {
  let waiting: Ready[] = [];
  let isCommitting = false;

  async function commitWaiting(): Promise<void> {
    if (isCommitting) return;
    isCommitting = true;
    while (waiting.length > 0) {
      const group = firstOf(waiting);
      waiting = waiting.slice(group.length);
      await new Promise<void>((onWritten) => {
        const committed = commit(group, onWritten).catch((error: Error) => {
          for (const { caller } of group) caller.reject(error);
        });
        void committed.finally(onWritten);
      });
    }
    isCommitting = false;
  }

  return (ready) => {
    waiting.push(ready);
    void commitWaiting();
  };
}

/** Returns the first requests, as many as fit into one database command. */
function firstOf(waiting: readonly Ready[]): Ready[] {
  let bytes = 0;
  const end = waiting.findIndex(({ split }, index) => {
    bytes += split.bytes;
    return index > 0 && bytes > BYTES_PER_COMMAND;
  });
  return waiting.slice(0, end === -1 ? waiting.length : end);
}

/**
 * Commits large requests in order of arrival, a few at a time. A waiting caller gets more time with each completed step
 * (`onStep`), so that the caller is rejected only if the database makes no progress.
 */
export function createLine(
  commit: (caller: Caller, steps: Steps, onStep: () => void) => Promise<void>,
): (caller: Caller, steps: Steps) => void {
  const line: [Caller, Steps][] = [];
  let active = 0;

  const onStep = () => {
    for (const [caller] of line) caller.extend();
  };

  async function commitNext(): Promise<void> {
    if (active >= LARGE_AT_ONCE) return;
    active += 1;
    for (let next = line.shift(); next !== undefined; next = line.shift()) {
      const [caller, steps] = next;
      await commit(caller, steps, onStep).catch(caller.reject);
    }
    active -= 1;
  }

  return (caller, steps) => {
    line.push([caller, steps]);
    void commitNext();
  };
}
