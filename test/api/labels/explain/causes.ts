import type { PositionFacts } from "../../../../api/labels/explain/explanation-facts.ts";
import type { causeNames } from "../../../../schemas/explanation.ts";
import type { Link } from "../../../../schemas/link.ts";
import type { Stored } from "../../../../schemas/record.ts";
import {
  another,
  beside,
  type Facts,
  failure,
  imageOf,
  itemMoved,
  pagesAt,
  position,
  present,
  queues,
  sending,
  state,
  wantsAnother,
} from "./differing-facts.ts";
import { at, factsOfALabel, KEY, revAt } from "./facts-of-a-label.ts";

/** Labels, named by their difference from a correct one, with the cause and the summary that `explain` reports. */
export const table: Record<string, { differs: Partial<Facts>; cause: (typeof causeNames)[number]; summary: RegExp }> = {
  "a correct label": {
    differs: {},
    cause: "UP_TO_DATE",
    summary: /^The label shows "Apple", item "apple" at 1\.99, since 10:05, because this is the newest picture/,
  },
  "an item that is not drawn yet": {
    differs: { ...itemMoved, ...queues("renderer", { waiting: 7 }) },
    cause: "STAGE_WAITS",
    summary:
      /shows an earlier picture, since 10:05, because the renderer worker has not processed the change to the item "apple" yet: 7 jobs are waiting in its queue .* \(since 10:08\)\.$/,
  },
  "a job that Redis lost": {
    differs: itemMoved,
    cause: "STAGE_WAITS",
    summary: /no job carries it, so the next audit will enqueue it/,
  },
  "a walk after a change of rules": {
    differs: {
      ...itemMoved,
      walks: [{ queue: "renderer", reason: "the pack is at rev 9", checked: 20, total: 100 } as Facts["walks"][number]],
    },
    cause: "STAGE_WAITS",
    summary: /it is walking through all records \(the pack is at rev 9; 20 of 100 checked\)/,
  },
  "a worker without a process": {
    differs: { ...itemMoved, ...queues("renderer", { waiting: 1, processes: 0 }) },
    cause: "PROCESS_MISSING",
    summary: /no process of the renderer worker is running \(since 10:08\)/,
  },
  "unreachable Redis": {
    differs: { ...itemMoved, queues: undefined },
    cause: "REDIS_AWAY",
    summary: /Redis cannot be reached, so its jobs wait in MongoDB/,
  },
  "full Redis": {
    differs: { ...itemMoved, redisFullTo: 1.031 },
    cause: "REDIS_FULL",
    summary: /Redis is full \(it uses 103% of its maxmemory\), so jobs wait in MongoDB/,
  },
  "a full Redis without a process of the worker": {
    differs: { ...itemMoved, redisFullTo: 0.9, ...queues("renderer", { waiting: 1, processes: 0 }) },
    cause: "PROCESS_MISSING",
    summary: /no process of the renderer worker is running/,
  },
  "a pending choice of the rules": {
    differs: { ...position({ isUndecided: true }), ...queues("evaluator", { processes: 0 }) },
    cause: "PROCESS_MISSING",
    summary: /the evaluator worker has not processed the latest change yet/,
  },
  "a link that is not projected yet": {
    differs: { revs: new Map([...factsOfALabel().revs, [`link.v2 ${KEY}`, revAt(7)]]) },
    cause: "STAGE_WAITS",
    summary: /the link worker has not processed the change to the link "A-0" yet/,
  },
  "a picture that is not composed yet": {
    differs: { revs: new Map([...factsOfALabel().revs, [`renderedimage.v1 ${KEY}`, revAt(7)]]) },
    cause: "STAGE_WAITS",
    summary: /the merger worker has not processed the change to the picture of the link "A-0" yet/,
  },
  "page images that are not composed yet": {
    differs: position({ pages: pagesAt(7) }),
    cause: "STAGE_WAITS",
    summary: /the merger worker/,
  },
  "page images of the single item on a label with two positions": {
    differs: beside({ link: undefined, rendered: undefined }),
    cause: "STAGE_WAITS",
    summary: /the merger worker/,
  },
  "page images of an item next to another": {
    differs: beside({ link: { ...(factsOfALabel().positions[0].link as Stored<Link>), itemId: "pear" } }),
    cause: "UP_TO_DATE",
    summary: /newest picture/,
  },
  "a picture that the transmitter has not read": {
    differs: imageOf([another]),
    cause: "STAGE_WAITS",
    summary: /the transmitter worker/,
  },
  "a record whose processing fails": {
    differs: {
      ...itemMoved,
      failures: [failure("renderer")],
    },
    cause: "STAGE_FAILS",
    summary: /the renderer worker failed 2 times on its records: the disk is full \(since 10:06, next attempt 10:12\)/,
  },
  "a request that is not applied yet": {
    differs: {
      requests: {
        naming: [{ number: 17, operation: "patch-items", urgency: "bulk", ordered: false, drawnAt: at(7) }],
        isCut: false,
      },
    },
    cause: "REQUEST_WAITS",
    summary:
      /because request 17 \(patch-items\), .* has been accepted but not applied yet: no job carries it, so the next sweep will enqueue it \(since 10:07\)/,
  },
  "a failure in a worker that has since handled the record": {
    differs: { failures: [failure("renderer"), failure("notifier")] },
    cause: "UP_TO_DATE",
    summary: /newest picture/,
  },
  "a failure in the notifier, and a worker that is behind": {
    differs: { ...itemMoved, ...queues("renderer", { waiting: 7 }), failures: [failure("notifier")] },
    cause: "STAGE_WAITS",
    summary: /the renderer worker has not processed/,
  },
  "a picture that is due again while another is unacknowledged": {
    differs: state({
      shown: (factsOfALabel().state?.shown ?? []).map((shown) => ({ ...shown, uncertain: true })),
      ...{ sending: { ...sending, image: "a".repeat(64) }, tries: 1, sendDue: at(10) },
    }),
    cause: "ON_ITS_WAY",
    summary:
      /^The label may show a picture other than the newest, which it acknowledged at 10:05, because a picture that is wanted again was sent once and is not acknowledged yet \(since 10:06, next attempt 10:10\)\.$/,
  },
  "a picture due without a transmitter": {
    differs: {
      ...imageOf([another]),
      ...state({ ...wantsAnother, sending, tries: 1, sendDue: at(10) }),
      ...queues("transmitter", { processes: 0 }),
    },
    cause: "PROCESS_MISSING",
    summary:
      /was sent, but no report about it can be processed: no process of the transmitter worker is running \(since 10:06\)/,
  },
  "a picture on its way": {
    differs: { ...imageOf([another]), ...state({ ...wantsAnother, sending, tries: 2, sendDue: at(10) }) },
    cause: "ON_ITS_WAY",
    summary: /a newer picture was sent 2 times and is not acknowledged yet \(since 10:06, next attempt 10:10\)/,
  },
  "a busy label server": {
    differs: {
      ...imageOf([another]),
      ...state({ ...wantsAnother, sending, tries: 0, putOff: "the label server answered 503" }),
    },
    cause: "ON_ITS_WAY",
    summary: /will be sent again: the label server answered 503/,
  },
  "an unreachable label server": {
    differs: { ...imageOf([another]), ...state({ ...wantsAnother, sendDue: at(8) }), labelServerAwaySince: at(7) },
    cause: "LABEL_SERVER_AWAY",
    summary:
      /shows an earlier picture, .* the label server does not respond, so the picture cannot be sent \(since 10:07/,
  },
  "a tenant's own unreachable label server": {
    differs: {
      ...{ ...imageOf([another]), ...state({ ...wantsAnother, sendDue: at(8) }) },
      ...{ labelServerAwaySince: at(7), labelServerId: "harbour" },
    },
    cause: "LABEL_SERVER_AWAY",
    summary: /because the label server "harbour" does not respond, so the picture cannot be sent \(since 10:07/,
  },
  "an offline gateway, which makes its whole label server count as unreachable": {
    differs: {
      ...{ ...imageOf([another]), ...state({ ...wantsAnother, sendDue: at(8) }) },
      ...{ gatewayOfflineSince: at(6), labelServerAwaySince: at(7), labelServerId: "broker" },
    },
    cause: "GATEWAY_OFFLINE",
    summary: /because the gateway of the store "main" is offline at the label server "broker", .* \(since 10:06/,
  },
  "a label server that rejects the secret": {
    differs: { ...imageOf([another]), ...state({ ...wantsAnother, sendDue: at(8) }), labelServerDeniedSince: at(7) },
    cause: "LABEL_SERVER_DENIES",
    summary: /the label server rejects Shelfwire's secret .*\(since 10:07/,
  },
  "an unreachable label server with nothing to do": {
    differs: { labelServerAwaySince: at(7) },
    cause: "UP_TO_DATE",
    summary: /newest picture/,
  },
  "a failed label": {
    differs: {
      ...imageOf([another]),
      ...state({ ...wantsAnother, sending, givenUp: "no report after 10 tries", sendDue: at(30) }),
    },
    cause: "GIVEN_UP",
    summary: /transmissions of the picture have failed: no report after 10 tries; .* next attempt 10:30/,
  },
  "a label that has been silent for a long time": {
    differs: { ...state({ lastSeen: at(-2_000), checksIn: true }) },
    cause: "LABEL_OFFLINE",
    summary: /the label has not been heard from since/,
  },
  "a silent label that never checks in": {
    differs: { ...state({ lastSeen: at(-2_000) }) },
    cause: "LABEL_QUIET",
    summary: /the label has not been heard from since, and it never checks in/,
  },
  "a picture that could not be drawn": {
    differs: {
      ...(present && {
        image: { ...present, fault: { reason: "NO_COMPATIBLE_DESIGN", detail: "no design fits label type 1328" } },
      }),
      ...state({ fault: "no design fits label type 1328" }),
    },
    cause: "PICTURE_FAULT",
    summary: /shows its background, since 10:05, because it could not be drawn: no design fits label type 1328/,
  },
  "an unknown item": {
    differs: position({ item: undefined }),
    cause: "ITEM_MISSING",
    summary: /shows its background, .* because the linked item "apple" does not exist/,
  },
  "a deactivated link": {
    differs: position({
      link: {
        ...(factsOfALabel().positions[0].link as NonNullable<PositionFacts["link"]>),
        status: "INACTIVE",
        switchedOff: true,
      },
    }),
    cause: "LINK_SWITCHED_OFF",
    summary: /its link to the item "apple" was set to INACTIVE/,
  },
  "a label without a link": {
    differs: {
      ...position({ link: undefined, item: undefined, designerLink: undefined, rendered: undefined }),
      image: undefined,
      state: undefined,
    },
    cause: "NOT_LINKED",
    summary: /^It is unknown what the label shows, because no item is linked to the label\.$/,
  },
};
