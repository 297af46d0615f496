import type { Db } from "mongodb";
import type { Logger } from "pino";
import type { Commit } from "../../queues/changes/commit.ts";
import type { Metrics } from "../../queues/metrics/metrics.ts";
import type { Steps } from "../../queues/tracing/steps.ts";
import type { ImageFiles } from "../../records/files/image-files.ts";
import { labelStates } from "../../records/kinds/labels.ts";
import type { Records } from "../../records/records.ts";
import { createBackground } from "../../runtime/background.ts";
import { createBatcher } from "../../runtime/batch/batcher.ts";
import { labelKey, ownerOf, tenantOf } from "../../schemas/keys.ts";
import type { LabelState, Transmission } from "../../schemas/label-state.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { Answer, LabelServer, PageToSend } from "./label-server.ts";
import { createLane, type Lane, type PageOfLabel } from "./lane.ts";
import { readPages } from "./read-pages.ts";
import { createResume } from "./resume.ts";
import { beginSend, giveUp, putOff, type RetrySettings, slowWaitOf } from "./send.ts";
import type { LabelServers } from "./servers/label-servers.ts";

interface Dependencies {
  records: Records;
  commit: Commit;
  imageFiles: ImageFiles;
  labelServers: LabelServers;
  retry: RetrySettings;
  /** Maximum number of concurrent calls to each label server. */
  concurrency: number;
  db: Db;
  metrics: Pick<Metrics, "count">;
  now(): Date;
  clock(): number;
  step: Steps["step"];
  /** What went wrong, in words for the log. */
  reasonOf(error: Error): string;
  log: Logger;
}

/** The answer to a transmission of a label. */
interface Answered {
  key: string;
  number: number;
  answer: Answer;
}

/** Changes a label's state before its next transmission is chosen; undefined leaves the state as it is. */
type Prepare = (key: string, current: LabelState | undefined) => LabelState | undefined;

/**
 * Applies `prepare` to the states of labels, and begins the transmissions that are due then. It does not wait for the
 * label server: what is begun is sent in the background, and what finds no room has a due time in its state.
 */
export type Transmit = (labelKeys: readonly string[], urgency: Urgency, prepare?: Prepare) => Promise<void>;

const DUE_PER_POLL = 500;
const ANSWERS_PER_WRITE = 500;

/** Sends pages to the label servers, each over a lane of its own, and notes their answers. */
export function createTransmit(dependencies: Dependencies) {
  const { commit, labelServers, retry, concurrency, db } = dependencies;
  const { metrics, step, now, clock, reasonOf, log } = dependencies;
  const lanes = new WeakMap<LabelServer, Lane>();
  const note = createBatcher<Answered, undefined>({ run: noteAll, weigh: () => 1, maxWeight: ANSWERS_PER_WRITE });
  const notes = createBackground();
  let polling: Promise<void> | undefined;

  function laneTo(labelServer: LabelServer): Lane {
    const known = lanes.get(labelServer);
    if (known) return known;
    const lane = createLane({
      labelServer: { isAway: labelServer.isAway, sendPage: (page) => sendPage(labelServer, page) },
      concurrency,
      clock,
      onAnswer({ key, page: { number } }, answer) {
        if (answer.kind === "accepted")
          metrics.count("shelfwire_pictures_transmitted_total", { tenant: tenantOf(key) });
        // An accepted transmission is noted by its report.
        else noteInBackground(note({ key, number, answer }));
      },
      onUnsent: (pages) => noteInBackground(putBack(pages)),
      onRoom: () => void sendDue().catch(logFailed),
    });
    lanes.set(labelServer, lane);
    return lane;
  }
  const laneOf = (key: string): Lane => laneTo(labelServers.of(ownerOf(key)));

  const settingsOf = (key: string) => ({ ...retry, slowWaitMs: slowWaitOf(key, retry.slowWaitMs) });

  const transmit: Transmit = async (labelKeys, urgency, prepare = (_, current) => current) => {
    const sends = await begin(labelKeys, urgency, prepare);
    const pages = await readPages(dependencies, sends, urgency);
    for (const [lane, group] of Map.groupBy(pages, ({ key }) => laneOf(key))) lane.add(group);
  };

  /** Writes each state once: the prepared state and the transmission that begins with it. */
  async function begin(
    labelKeys: readonly string[],
    urgency: Urgency,
    prepare: Prepare,
  ): Promise<Map<string, Transmission>> {
    const sends = new Map<string, Transmission>();
    const rooms = new Map<Lane, number>();
    const begun = await commit.change(
      labelStates,
      labelKeys,
      (key, current) => {
        const lane = laneOf(key);
        // A state that is decided again gives its place back.
        const room = (rooms.get(lane) ?? lane.room(urgency)) + (sends.delete(key) ? 1 : 0);
        const prepared = prepare(key, current);
        const next = prepared && room > 0 ? beginSend(prepared, now(), settingsOf(key)) : undefined;
        if (next?.send) sends.set(key, next.send);
        rooms.set(lane, next?.send ? room - 1 : room);
        return next?.state ?? prepared;
      },
      urgency,
    );
    return new Map([...sends].filter(([key]) => begun.has(key)));
  }

  /** What cannot be noted leaves a due time in the label's state. */
  function noteInBackground(noting: Promise<unknown>): void {
    void notes.add(noting).catch(logFailed);
  }

  /** Makes what was begun and not sent due at once, for another process. */
  async function putBack(pages: readonly PageOfLabel[]): Promise<void> {
    const numbers = new Map(pages.map(({ key, page }) => [key, page.number]));
    const keys = [...numbers.keys()];
    const dueAtOnce = (key: string, current: LabelState | undefined) =>
      current && putOff(current, numbers.get(key) ?? 0, now());
    await commit.change(labelStates, keys, dueAtOnce, "bulk");
  }

  function sendPage(labelServer: LabelServer, sent: PageToSend): Promise<Answer> {
    const { store, barcode, page, number, cause } = sent;
    const attributes = { label: labelKey(store, barcode), page, transmission: number };
    const faultOf = ({ kind }: Answer) => (kind === "accepted" ? undefined : kind);
    return step("transmit", cause ? [cause] : [], attributes, () => labelServer.sendPage(sent), faultOf);
  }

  async function noteAll(answers: readonly Answered[]): Promise<undefined[]> {
    const byKey = new Map(answers.map((answer) => [answer.key, answer]));
    for (const [{ address }, group] of Map.groupBy(answers, ({ key }) => labelServers.of(ownerOf(key)))) {
      const [{ key, number, answer } = {}] = group;
      const first = {
        key,
        number,
        answer: answer?.kind,
        ...(answer && "reason" in answer && { reason: answer.reason }),
      };
      log.warn({ labelServer: address, labels: group.length, first }, "the label server rejected pictures");
    }
    await commit.change(
      labelStates,
      [...byKey.keys()],
      (key, current) => {
        const answered = byKey.get(key);
        return current && answered && afterAnswer(current, answered.number, answered.answer, now(), settingsOf(key));
      },
      "bulk",
    );
    return answers.map(() => undefined);
  }

  const logFailed = (error: Error) =>
    log.warn({ error: reasonOf(error) }, "transmissions wait in the database until they are due");

  /** Keys of labels with a due transmission for which there is room, longest due first; undefined where there is none. */
  async function findDue(): Promise<string[] | undefined> {
    const ofStores = labelServers.ofStores((server) => laneTo(server).room("bulk") > 0);
    if (ofStores === undefined) return undefined;
    const due = await db
      .collection<Stored<LabelState>>(labelStates.name)
      .find({ sendDue: { $lte: now() }, ...ofStores }, { projection: { _id: 1 } })
      .sort({ sendDue: 1 })
      .limit(DUE_PER_POLL)
      .toArray();
    return due.map(({ _id }) => _id);
  }

  /** Begins due transmissions, batch after batch, while there is room for them. */
  async function poll(): Promise<void> {
    for (;;) {
      const due = await findDue();
      if (due === undefined) return;
      const fresh = due.filter((key) => !laneOf(key).has(key));
      await transmit(fresh, "bulk");
      if (due.length < DUE_PER_POLL || fresh.length === 0) return;
    }
  }

  function sendDue(): Promise<void> {
    polling ??= poll().finally(() => {
      polling = undefined;
    });
    return polling;
  }

  /** Begins nothing more; resolves when the calls under way, and what came of them, are noted. */
  async function close(): Promise<void> {
    await Promise.all(labelServers.all().map((server) => laneTo(server).close()));
    await polling?.catch(logFailed);
    await notes.settled();
    await labelServers.close();
  }

  return { transmit, sendDue, resume: createResume({ ...dependencies, transmit }), close };
}

function afterAnswer(
  state: LabelState,
  number: number,
  answer: Answer,
  now: Date,
  settings: RetrySettings,
): LabelState {
  if (answer.kind === "later") return putOff(state, number, new Date(now.getTime() + answer.afterMs), answer.reason);
  return answer.kind === "refused" ? giveUp(state, number, answer.reason, now, settings) : state;
}
