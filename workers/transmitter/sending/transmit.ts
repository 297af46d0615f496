import type { Db } from "mongodb";
import type { Logger } from "pino";
import type { RetrySettings } from "../../../domain/labels/retry-waits.ts";
import type { Commit } from "../../../queues/changes/commit.ts";
import type { Metrics } from "../../../queues/metrics/metrics.ts";
import type { Partitions } from "../../../queues/store-partitions.ts";
import type { Steps } from "../../../queues/tracing/steps.ts";
import type { ImageFiles } from "../../../records/files/image-files.ts";
import { createReadPlaces } from "../../../records/labels/read-places.ts";
import { readLabelsAgain } from "../../../records/linking/places.ts";
import type { Records } from "../../../records/records.ts";
import type { CareOfTypes } from "../care-of-types.ts";
import type { LabelServers } from "../servers/label-servers.ts";
import { createBegin, type Transmit } from "./begin.ts";
import type { BegunStates } from "./begun-states.ts";
import { createLanes } from "./lanes.ts";
import { createAnswerNotes } from "./note-answers.ts";
import type { QuietStores } from "./quiet-stores.ts";
import { readPages } from "./read-pages.ts";
import { createResume } from "./resume.ts";
import { createSendDue } from "./send-due.ts";

interface Dependencies {
  records: Records;
  commit: Commit;
  imageFiles: ImageFiles;
  labelServers: LabelServers;
  careOfTypes: CareOfTypes;
  quietStores: QuietStores;
  /** Absent if this process does not apply reports. */
  begunStates?: Pick<BegunStates, "note">;
  retry: RetrySettings;
  /** Maximum number of concurrent calls to each label server. */
  concurrency: number;
  db: Db;
  partitions: Pick<Partitions, "own">;
  metrics: Pick<Metrics, "count">;
  now(): Date;
  clock(): number;
  step: Steps["step"];
  /** Says what went wrong, worded for the log. */
  reasonOf(error: Error): string;
  log: Pick<Logger, "warn" | "error">;
}

/** Sends pages to the label servers, over one lane each, and records their responses. */
export function createTransmit(dependencies: Dependencies) {
  const { records, labelServers, reasonOf, log } = dependencies;
  const onError = (error: Error) =>
    log.warn({ error: reasonOf(error) }, "transmissions wait in the database until they are due");
  const notes = createAnswerNotes({ ...dependencies, onError });
  const lanes = createLanes({
    ...dependencies,
    onAnswer: notes.note,
    onUnsent: notes.putBack,
    onRoom: () => void sendDue().catch(onError),
  });
  const begin = createBegin(dependencies);
  const readPlaces = createReadPlaces(records, labelServers);
  const transmit: Transmit = async (labelKeys, urgency, prepare = (_, current) => current, read) => {
    const placeOf = await readPlaces(labelKeys, read?.places?.[0]);
    const { sends, overtaken } = await begin(labelKeys, urgency, prepare, (key) => lanes.of(placeOf(key)), read);
    const places = read?.places && (await readLabelsAgain(records, read.places, overtaken));
    const pages = await readPages(dependencies, sends, urgency, places);
    for (const [lane, group] of Map.groupBy(pages, ({ place }) => lanes.of(place))) lane.add(group);
  };
  const { sendDue, underWay } = createSendDue({ ...dependencies, lanes, readPlaces, transmit });

  /** Starts no more transmissions; resolves when the calls in progress have ended and their results are recorded. */
  async function close(): Promise<void> {
    await lanes.close();
    await underWay()?.catch(onError);
    await notes.finished();
    await labelServers.close();
  }

  const resume = createResume({ ...dependencies, lanes, readPlaces, transmit });
  return { transmit, sendDue, resume, learntPaces: lanes.learnt, close };
}
