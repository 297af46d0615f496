import type { Logger } from "pino";
import { giveUp, putOff } from "../../../domain/labels/next-transmission.ts";
import { type RetrySettings, settingsOf } from "../../../domain/labels/retry-waits.ts";
import { spreadWait } from "../../../domain/labels/spread.ts";
import type { Commit } from "../../../queues/changes/commit.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { createBackground } from "../../../runtime/background.ts";
import { createBatcher } from "../../../runtime/batch/batcher.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { Answer, LabelServer } from "../drivers/label-server.ts";
import type { PageOfLabel } from "./lane.ts";

interface Dependencies {
  commit: Commit;
  retry: RetrySettings;
  now(): Date;
  onError(error: Error): void;
  log: Pick<Logger, "warn">;
}

/** The response to a label's transmission. */
interface Answered {
  key: string;
  number: number;
  answer: Answer;
  /** Scheme and host of the label server, if they are known. */
  address: string | undefined;
}

const ANSWERS_PER_WRITE = 500;

/**
 * Records the responses of label servers in label states, in the background. If a response cannot be recorded, the label's
 * state still has a due time.
 */
export function createAnswerNotes(dependencies: Dependencies) {
  const run = createNoteAll(dependencies);
  const note = createBatcher<Answered, undefined>({ run, weigh: () => 1, maxWeight: ANSWERS_PER_WRITE });
  const putBack = createPutBack(dependencies);
  const notes = createBackground();
  const inBackground = (noting: Promise<unknown>): void => void notes.add(noting).catch(dependencies.onError);
  return {
    note: ({ key, page: { number } }: PageOfLabel, answer: Answer, { address }: Pick<LabelServer, "address">) =>
      inBackground(note({ key, number, answer, address })),
    /** Makes transmissions that were started but not sent due immediately, so that another process sends them. */
    putBack: (pages: readonly PageOfLabel[]) => inBackground(putBack(pages)),
    finished: notes.finished,
  };
}

function createPutBack({ commit, now }: Dependencies) {
  return async (pages: readonly PageOfLabel[]): Promise<void> => {
    const numbers = new Map(pages.map(({ key, page }) => [key, page.number]));
    const dueAtOnce = (key: string, current: LabelState | undefined) =>
      current && putOff(current, numbers.get(key) ?? 0, now());
    await commit.change(labelStates, [...numbers.keys()], dueAtOnce, "bulk");
  };
}

function createNoteAll({ commit, retry, now, log }: Dependencies) {
  function logFirst(address: string | undefined, group: readonly Answered[]): void {
    const [{ key, number, answer } = {}] = group;
    const reason = answer && "reason" in answer && { reason: answer.reason };
    const first = { key, number, answer: answer?.kind, ...reason };
    log.warn({ labelServer: address, labels: group.length, first }, "the label server rejected pictures");
  }

  return async (answers: readonly Answered[]): Promise<undefined[]> => {
    const byKey = new Map(answers.map((answer) => [answer.key, answer]));
    for (const [address, group] of Map.groupBy(answers, (answer) => answer.address)) logFirst(address, group);
    const noted = (key: string, current: LabelState | undefined) => {
      const answered = byKey.get(key);
      return current && answered && afterAnswer(current, answered, now(), settingsOf(key, retry));
    };
    await commit.change(labelStates, [...byKey.keys()], noted, "bulk");
    return answers.map(() => undefined);
  };
}

function afterAnswer(
  state: LabelState,
  { key, number, answer }: Answered,
  now: Date,
  settings: RetrySettings,
): LabelState {
  if (answer.kind === "later") {
    // The waits are spread, so that labels waiting for the same label server are not all retried at the same time.
    const waitMs = spreadWait(answer.afterMs, settings.spread, `${key} ${now.getTime()}`);
    return putOff(state, number, new Date(now.getTime() + waitMs), answer.reason);
  }
  return answer.kind === "refused" ? giveUp(state, number, answer, now, settings) : state;
}
