import type { Db } from "mongodb";
import pLimit from "p-limit";
import type { Logger } from "pino";
import type { Commit } from "../../queues/changes/commit.ts";
import type { ImageFiles } from "../../records/files/image-files.ts";
import type { Stored } from "../../records/kind.ts";
import { labels } from "../../records/kinds/label.ts";
import { labelStates } from "../../records/kinds/label-state.ts";
import { stores } from "../../records/kinds/store.ts";
import { transceiversOf } from "../../records/linking/transceivers.ts";
import type { Records } from "../../records/records.ts";
import { idOf, ownerOf, tenantOf } from "../../schemas/keys.ts";
import type { LabelState, Transmission } from "../../schemas/label-state.ts";
import type { Urgency } from "../../schemas/topics.ts";
import type { Answer, LabelServer, PageToSend } from "./label-server.ts";
import { beginSend, giveUp, putOff, type RetrySettings, slowWaitOf } from "./send.ts";

interface Dependencies {
  records: Records;
  commit: Commit;
  imageFiles: ImageFiles;
  labelServer: LabelServer;
  retry: RetrySettings;
  /** Maximum number of concurrent calls to the label server. */
  concurrency: number;
  db: Db;
  now(): Date;
  log: Logger;
}

/** Changes a label's state before its next transmission is chosen; undefined leaves the state as it is. */
type Prepare = (key: string, current: LabelState | undefined) => LabelState | undefined;

/** Applies `prepare` to the states of labels, and sends the transmissions that are due then. */
export type Transmit = (labelKeys: readonly string[], urgency: Urgency, prepare?: Prepare) => Promise<void>;

/** Sends pages to the label server and notes its answers. */
export function createTransmit(dependencies: Dependencies) {
  const { records, commit, imageFiles, labelServer, retry, concurrency, db, now, log } = dependencies;

  const settingsOf = (key: string) => ({ ...retry, slowWaitMs: slowWaitOf(key, retry.slowWaitMs) });

  const transmit: Transmit = async (labelKeys, urgency, prepare = (_, current) => current) => {
    const sends = await begin(labelKeys, urgency, prepare);
    const pages = await readPages(sends, urgency);
    const answers = await pLimit(concurrency).map(pages, async ({ key, page }) => ({
      key,
      number: page.number,
      answer: await labelServer.sendPage(page),
    }));
    await note(answers.filter(({ answer }) => answer.kind !== "accepted"));
  };

  /** Writes each state once: the prepared state and the transmission that begins with it. */
  async function begin(
    labelKeys: readonly string[],
    urgency: Urgency,
    prepare: Prepare,
  ): Promise<Map<string, Transmission>> {
    const sends = new Map<string, Transmission>();
    const mayBegin = !labelServer.isAway();
    const begun = await commit.change(
      labelStates,
      labelKeys,
      (key, current) => {
        sends.delete(key);
        const prepared = prepare(key, current);
        const next = prepared && mayBegin ? beginSend(prepared, now(), settingsOf(key)) : undefined;
        if (next?.send) sends.set(key, next.send);
        return next?.state ?? prepared;
      },
      urgency,
    );
    return new Map([...sends].filter(([key]) => begun.has(key)));
  }

  async function readPages(
    sends: ReadonlyMap<string, Transmission>,
    urgency: Urgency,
  ): Promise<{ key: string; page: PageToSend }[]> {
    const keys = [...sends.keys()];
    const [labelRecords, storeRecords] = await Promise.all([
      records.read(labels, keys),
      records.read(stores, keys.map(ownerOf)),
    ]);
    const byTenant = [...Map.groupBy(sends, ([key]) => tenantOf(key))].map(async ([tenant, group]) => {
      const files = await imageFiles.read(tenant, [...new Set(group.map(([, { image }]) => image))]);
      return group.flatMap(([key, { image, text, page, number }]) => {
        const png = files.get(image)?.png;
        const content = text !== undefined ? { text } : png && { png };
        if (content === undefined) {
          log.error({ key, image }, "the picture of a transmission is not stored");
          return [];
        }
        const reach = transceiversOf(
          labelRecords.get(key) ?? {},
          storeRecords.get(ownerOf(key))?.linkDepartments ?? [],
        );
        const transceivers = Array.isArray(reach) ? reach : [];
        const priority = urgency === "interactive" ? ("high" as const) : ("normal" as const);
        return [
          { key, page: { store: ownerOf(key), barcode: idOf(key), page, number, content, priority, transceivers } },
        ];
      });
    });
    return (await Promise.all(byTenant)).flat();
  }

  async function note(answers: readonly { key: string; number: number; answer: Answer }[]): Promise<void> {
    const byKey = new Map(answers.map((answer) => [answer.key, answer]));
    if (byKey.size > 0) log.warn({ labels: byKey.size, first: answers[0] }, "the label server did not take pictures");
    await commit.change(
      labelStates,
      [...byKey.keys()],
      (key, current) => {
        const answered = byKey.get(key);
        return current && answered && afterAnswer(current, answered.number, answered.answer, now(), settingsOf(key));
      },
      "bulk",
    );
  }

  return {
    transmit,
    /** Keys of labels with a due transmission; at most `limit`. */
    findDue: async (limit: number): Promise<string[]> => {
      const due = await db
        .collection<Stored<LabelState>>(labelStates.name)
        .find({ sendDue: { $lte: now() } }, { projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      return due.map(({ _id }) => _id);
    },
  };
}

function afterAnswer(
  state: LabelState,
  number: number,
  answer: Answer,
  now: Date,
  settings: RetrySettings,
): LabelState {
  if (answer.kind === "later") return putOff(state, number, new Date(now.getTime() + answer.afterMs));
  return answer.kind === "refused" ? giveUp(state, number, answer.reason, now, settings) : state;
}
