import type { Answer } from "../../../../workers/transmitter/drivers/label-server.ts";
import { createLane, type Held, type PageOfLabel } from "../../../../workers/transmitter/sending/lane.ts";
import { page } from "../serve.ts";

/** A picture for a label. */
export const toSend = (key: string, priority: "high" | "normal" = "normal"): PageOfLabel => ({
  key,
  page: { ...page, barcode: key, priority },
});
/** Pictures for this many labels, named by their position. */
export const named = (count: number, prefix = "label"): PageOfLabel[] =>
  Array.from({ length: count }, (_, index) => toSend(`${prefix} ${index}`));
export const accepted: Answer = { kind: "accepted" };
export const busy = { kind: "later", afterMs: 3_000, reason: "busy", server: "busy" } as const satisfies Answer;
const flush = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A lane whose label server answers when the test says so. */
export function laneScene(concurrency: number, held: Held = { transmissions: 0 }) {
  const set = { isAway: false, now: 0, roomAgain: 0 };
  const wakes: (() => void)[] = [];
  const calls = new Map<string, (answer: Answer) => void>();
  const answers: [string, Answer["kind"]][] = [];
  const postponed: Answer[] = [];
  const unsent: string[] = [];
  const lane = createLane({
    labelServer: {
      isAway: () => set.isAway,
      sendPage: ({ barcode }) => new Promise<Answer>((resolve) => calls.set(barcode, resolve)),
    },
    ...{ concurrency, held, clock: () => set.now, random: () => 0 },
    wakeAfter: (_, wake) => void wakes.push(wake),
    onAnswer({ key }, answer) {
      answers.push([key, answer.kind]);
      if (answer.kind === "later") postponed.push(answer);
    },
    onRoom: () => {
      set.roomAgain += 1;
    },
    onUnsent: (pages) => void unsent.push(...pages.map(({ key }) => key)),
  });
  const answer = async (key: string, said = accepted) => {
    calls.get(key)?.(said);
    calls.delete(key);
    await flush();
  };
  /** Advances the time, and wakes the lane if it requested a wake-up. */
  const pass = (milliseconds: number) => {
    set.now += milliseconds;
    for (const wake of wakes.splice(0)) wake();
  };
  return { set, lane, calls, answers, postponed, unsent, held, answer, pass };
}
