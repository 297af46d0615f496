import { isOffline, isQuiet } from "../../../domain/labels/offline.ts";
import { pageToSend } from "../../../domain/labels/pages-to-send.ts";
import { queueOfJob } from "../../../queues/topology.ts";
import { partsOfInput, partsOfValueInput } from "../../../records/kind.ts";
import { stores } from "../../../records/kinds/tenants.ts";
import type { CauseName } from "../../../schemas/explanation.ts";
import { causeNames } from "../../../schemas/explanation.ts";
import type { DrawingFault } from "../../../schemas/image.ts";
import { exists } from "../../../schemas/item.ts";
import { idOf, storeIds } from "../../../schemas/keys.ts";
import type { ExplanationFacts, QueueFacts, ServingQueue } from "./explanation-facts.ts";
import { noDesignReason } from "./no-design-reason.ts";
import { type StageBehind, stagesBehind } from "./stages-behind.ts";

/** Why a label shows its picture, worded as the end of a sentence. */
export interface CauseFound {
  cause: CauseName;
  reason: string;
  since?: Date | undefined;
  /** When the failed step is retried. */
  until?: Date | undefined;
}

/** Returns every cause that applies to a label, the most serious first; there is always one. */
export function findCauses(facts: ExplanationFacts, now: Date): CauseFound[] {
  const behind = stagesBehind(facts);
  const found = [
    ...failuresBehind(facts, behind).map(({ queue, reason, since, retryAt, attempts }): CauseFound => {
      const tried = attempts === 1 ? "once" : `${attempts} times`;
      return {
        cause: "STAGE_FAILS",
        reason: `the ${queue} worker failed ${tried} on its records: ${reason}`,
        since,
        until: retryAt,
      };
    }),
    ...behind.map((stage) => stageCause(stage, facts)),
    ...requestCauses(facts),
    ...glassCauses(facts, now),
    ...contentCauses(facts),
  ];
  if (found.length === 0)
    return [{ cause: "UP_TO_DATE", reason: "this is the newest picture, and the label has acknowledged it" }];
  const rank = ({ cause }: CauseFound) => causeNames.indexOf(cause);
  return found.map((one) => ({ ...one, since: notAfter(now, one.since) })).sort((a, b) => rank(a) - rank(b));
}

/** Corrects a time stored by another process whose clock may be fast: nothing can have started in the future. */
export const notAfter = <Time extends Date | undefined>(now: Date, time: Time): Time | Date =>
  time && time > now ? now : time;

/**
 * Returns the failures that delay the label. The notifier's failures do not affect what the label shows; nor does the
 * failure of a worker that has since processed the record but has not retried yet.
 */
const failuresBehind = ({ failures }: ExplanationFacts, behind: readonly StageBehind[]) =>
  failures.filter(({ queue }) => behind.some(({ stage }) => stage === queue));

/** Returns why the worker has not handled a change yet. */
function stageCause({ stage, since, moved }: StageBehind, facts: ExplanationFacts): CauseFound {
  const { queues, redisFullTo, unpublishedSince, walks } = facts;
  const what = moved.length > 0 ? `the change to ${moved.map(nameOf).join(" and ")}` : "the latest change";
  const open = `the ${stage} worker has not processed ${what} yet`;
  if (queues === undefined)
    return { cause: "REDIS_AWAY", reason: `${open}: Redis cannot be reached, so its jobs wait in MongoDB`, since };
  const queue = queues[stage];
  if (queue.processes === 0)
    return { cause: "PROCESS_MISSING", reason: `${open}: no process of the ${stage} worker is running`, since };
  if (redisFullTo !== undefined) return { cause: "REDIS_FULL", reason: `${open}: ${fullText(redisFullTo)}`, since };
  const walk = walks.find((one) => one.queue === stage);
  const details = [
    jobsText(queue),
    ...(walk
      ? [`it is walking through all records (${walk.reason}; ${walk.checked} of ${walk.total ?? "all"} checked)`]
      : []),
    ...(unpublishedSince ? ["changes in MongoDB are waiting to be published"] : []),
    ...(queue.waiting + queue.active === 0 && !walk && !unpublishedSince
      ? ["no job carries it, so the next audit will enqueue it"]
      : []),
  ];
  return { cause: "STAGE_WAITS", reason: `${open}: ${details.join(", ")}`, since };
}

const fullText = (fill: number): string =>
  `Redis is full (it uses ${Math.round(fill * 100)}% of its maxmemory), so jobs wait in MongoDB`;

const jobsText = ({ waiting, active }: QueueFacts): string =>
  `${waiting} jobs are waiting in its queue and ${active} are being processed`;

/** Formats `{kind} {key}#{rev}` for people. */
const nameOf = (input: string): string => {
  const { kind = "", key = "" } = partsOfInput(input) ?? partsOfValueInput(input) ?? {};
  // A store's key ends with its id, without a kind before it.
  const id = kind === stores.name ? key.slice(key.lastIndexOf("/") + 1) : idOf(key);
  return `${nouns[kind] ?? kind} "${id}"`;
};
const nouns: Readonly<Record<string, string>> = {
  "storeitemvalues.v1": "the item",
  "link.v2": "the link",
  "storeesl.v1": "the label",
  "studiolink.v1": "the chosen design of the link",
  "designerlink.v1": "the link",
  "ecclink.v1": "the link",
  "design.v1": "the design",
  "canvasdesign.v1": "the canvas",
  "asset.v1": "the image",
  "assetfile.v1": "the decoded image",
  "renderedimage.v1": "the picture of the link",
  "ecceslimage.v1": "the picture of the link",
  "pageimage.v1": "the page images of the item",
  store: "the store",
  labeltype: "the label type",
};

function requestCauses({ requests: { naming }, queues, redisFullTo }: ExplanationFacts): CauseFound[] {
  return naming.map(({ number, operation, drawnAt: since }): CauseFound => {
    const worker = queueOfJob(operation) as ServingQueue;
    const open = `request ${number} (${operation}), which names the label or its item, has been accepted but not applied yet`;
    if (queues === undefined) return { cause: "REDIS_AWAY", reason: `${open}: Redis cannot be reached`, since };
    if (queues[worker].processes === 0)
      return { cause: "PROCESS_MISSING", reason: `${open}: no process of the ${worker} worker is running`, since };
    if (redisFullTo !== undefined) return { cause: "REDIS_FULL", reason: `${open}: ${fullText(redisFullTo)}`, since };
    const isInQueue = queues[worker].waiting + queues[worker].active > 0;
    const where = isInQueue ? jobsText(queues[worker]) : "no job carries it, so the next sweep will enqueue it";
    return { cause: "REQUEST_WAITS", reason: `${open}: ${where}`, since };
  });
}

/** The causes that delay a picture between the transmitter and the glass. */
function glassCauses(facts: ExplanationFacts, now: Date): CauseFound[] {
  const { state, offlineAfterMs, queues } = facts;
  if (state === undefined) return [];
  const { sending, sendDue: until, tries, givenUp, putOff, lastSeen: since } = state;
  const offline: CauseFound[] = isOffline(state, now, offlineAfterMs)
    ? [{ cause: "LABEL_OFFLINE", reason: "the label has not been heard from since", since }]
    : [];
  const quiet: CauseFound[] = isQuiet(state, now, offlineAfterMs)
    ? [{ cause: "LABEL_QUIET", reason: "the label has not been heard from since, and it never checks in", since }]
    : [];
  const page = pageToSend(state);
  if (page === undefined) return [...offline, ...quiet];
  if (queues?.transmitter.processes === 0) {
    const waits = sending === undefined ? "is waiting to be sent" : "was sent, but no report about it can be processed";
    const reason = `the newest picture ${waits}: no process of the transmitter worker is running`;
    return [{ cause: "PROCESS_MISSING", reason, since: sending && startOf(sending.number) }, ...offline];
  }
  const unreached = labelServerCause(facts);
  if (unreached !== undefined) return [{ ...unreached, until }, ...offline];
  if (givenUp !== undefined) {
    const reason = `transmissions of the picture have failed: ${givenUp}; it is retried at longer intervals, and when the label is heard from again`;
    return [{ cause: "GIVEN_UP", reason, since: sending && startOf(sending.number), until }, ...offline];
  }
  const isKnown = state.shown.some((known) => known.page === page.page && known.image === page.image);
  const what = state.refreshing?.pages.includes(page.page)
    ? "a picture that was requested again"
    : isKnown
      ? "a picture that is wanted again"
      : "a newer picture";
  const reason =
    sending === undefined
      ? `${what} is waiting to be sent${putOff === undefined ? "" : `: ${putOff}`}`
      : putOff === undefined
        ? `${what} was sent ${tries === 1 ? "once" : `${tries} times`} and is not acknowledged yet`
        : `${what} will be sent again: ${putOff}`;
  return [{ cause: "ON_ITS_WAY", reason, since: sending && startOf(sending.number), until }, ...offline];
}

/** Returns why nothing can be sent to the labels of the store. */
function labelServerCause(facts: ExplanationFacts): CauseFound | undefined {
  const { label, labelServerId, gatewayOfflineSince, labelServerAwaySince, labelServerDeniedSince } = facts;
  const server = `the label server${labelServerId === undefined ? "" : ` "${labelServerId}"`}`;
  const unsent = "so the picture cannot be sent";
  if (gatewayOfflineSince !== undefined) {
    const reason = `the gateway of the store "${storeIds(label.store).storeId}" is offline at ${server}, ${unsent}`;
    return { cause: "GATEWAY_OFFLINE", reason, since: gatewayOfflineSince };
  }
  if (labelServerAwaySince !== undefined)
    return { cause: "LABEL_SERVER_AWAY", reason: `${server} does not respond, ${unsent}`, since: labelServerAwaySince };
  if (labelServerDeniedSince === undefined) return undefined;
  const reason = `${server} rejects Shelfwire's secret (it returns 401 or 403), ${unsent}`;
  return { cause: "LABEL_SERVER_DENIES", reason, since: labelServerDeniedSince };
}

/** A transmission's number is the time of its start in milliseconds. */
export const startOf = (number: number): Date => new Date(number);

/** If no design was chosen, the rules explain more than the picture does, provided that they were evaluated. */
function faultText({ reason, detail }: DrawingFault, positions: ExplanationFacts["positions"]): string {
  const unchosen = positions.find(({ trace }) => trace?.design_id === null);
  return reason === "NO_COMPATIBLE_DESIGN" && unchosen ? noDesignReason(unchosen) : detail;
}

/** Returns why the newest picture does not show an item. */
function contentCauses({ image, positions }: ExplanationFacts): CauseFound[] {
  const linked = positions.filter(({ link }) => link !== undefined && link.status !== "DELETED");
  const faults = image?.fault
    ? [
        {
          cause: "PICTURE_FAULT" as const,
          reason: `it could not be drawn: ${faultText(image.fault, positions)}`,
          since: image.changedAt,
        },
      ]
    : [];
  if (linked.length === 0) return [...faults, { cause: "NOT_LINKED", reason: "no item is linked to the label" }];
  const inactive = linked.flatMap(({ link, item }): CauseFound[] => {
    if (link === undefined || (link.status === "ACTIVE" && item !== undefined && exists(item))) return [];
    const since = link.changedAt;
    return link.switchedOff
      ? [{ cause: "LINK_SWITCHED_OFF", reason: `its link to the item "${link.itemId}" was set to INACTIVE`, since }]
      : [{ cause: "ITEM_MISSING", reason: `the linked item "${link.itemId}" does not exist`, since }];
  });
  return [...faults, ...inactive];
}
