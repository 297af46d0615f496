import { setTimeout } from "node:timers/promises";
import { type CallNotice, callNotice, callText } from "../../../../schemas/call-notice.ts";
import { faultOfCall } from "../../../../schemas/fault-of-call.ts";
import type { Flash } from "../../../../schemas/flash.ts";
import type { LabelServer as Settings } from "../../../../schemas/label-server.ts";
import { comparableMac, deviceOf } from "../../../../schemas/mac.ts";
import { createCircuitBreaker } from "../../servers/circuit-breaker.ts";
import { followCalls } from "../follow-calls.ts";
import type { Addressed, Answer, LabelServer, OnCall, PageToSend, Report } from "../label-server.ts";
import { accessPointAt, BUSY_STATUSES, typeId } from "./access-point.ts";
import { followUploads } from "./follow-uploads.ts";
import { ledPattern } from "./led-pattern.ts";
import { createPassOn } from "./pass-on.ts";
import { jpegFor } from "./tag-picture.ts";
import { countAfterNext, outcomeOf, restAfter } from "./uploads.ts";
import { watchAccessPoint } from "./watch.ts";

interface AccessPointWorld {
  clock(): number;
  now(): Date;
  onCall: OnCall;
  report: Report;
  /** Returns a number that is at least 0 and less than 1. */
  random?(): number;
}

/** Minimum time between uploads. A higher rate exhausts an access point's memory, so it silently loses pictures. */
const UPLOAD_INTERVAL_MS = 1_000;
/** After this many intervals, an access point has either converted a picture or lost it. */
const LISTED_AFTER_UPLOADS = 2;

const refused = (reason: string): Answer => ({ kind: "refused", reason });
const ACCEPTED: Answer = { kind: "accepted" };

/**
 * The driver for OpenEPaperLink access points (docs/operations/first-labels.md). It uploads one picture at a time, and assumes
 * that a tag shows it once the access point lists it as shown.
 */
export function openEpaperLink(
  { url, uploadIntervalMs = UPLOAD_INTERVAL_MS }: Settings,
  world: AccessPointWorld,
): LabelServer {
  const { clock, now, onCall, random = Math.random } = world;
  const accessPoint = accessPointAt(url);
  const circuit = createCircuitBreaker(clock);
  const passOn = createPassOn(world.report);
  const following = followUploads({
    accessPoint,
    report: passOn.add,
    now,
    clock,
    listedAfterMs: LISTED_AFTER_UPLOADS * uploadIntervalMs,
  });
  const calls = followCalls(clock);
  let failures = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let lastUploadAt = Number.NEGATIVE_INFINITY;
  let turn: Promise<unknown> = Promise.resolve();

  // If a check fails, the next message or a transmission's retry repeats the check.
  const inBackground = (work: Promise<void>): void => void work.catch(() => {});
  const watch = watchAccessPoint({
    url,
    onOpen: () => inBackground(following.lookAgain()),
    onMessage: (message) => inBackground(following.take(message)),
  });

  function succeeded(): void {
    failures = 0;
    circuit.answered();
    calls.answered();
  }

  /**
   * Pauses calls to the access point, longer after each failure. The call is retried later, since the label is not at fault.
   */
  function rest(notice: CallNotice, detail: string): Answer {
    failures += 1;
    const afterMs = restAfter(failures, random());
    restsUntil = clock() + afterMs;
    calls.failed(notice, detail);
    return { kind: "later", afterMs, reason: callText(notice) };
  }

  /** Makes a call for a label and reports the result. */
  async function call(what: Parameters<OnCall>[0], run: () => Promise<Answer>): Promise<Answer> {
    const began = clock();
    try {
      const answer = await run();
      onCall(what, answer.kind === "later" ? "busy" : answer.kind, clock() - began);
      return answer;
    } catch (error) {
      circuit.failed();
      onCall(what, "none", clock() - began);
      return rest(
        callNotice("SERVER_SILENT", { fault: faultOfCall((error as Error).cause ?? error) }),
        (error as Error).message,
      );
    }
  }

  /** Runs a call after the ones before it: an access point takes one picture at a time. */
  function inTurn(run: () => Promise<Answer>): Promise<Answer> {
    const running = turn.then(run);
    // A failed call does not block the following ones.
    turn = running.catch(() => {});
    return running;
  }

  function judge(status: number, text: string): Answer {
    if (status === 200) {
      succeeded();
      return ACCEPTED;
    }
    circuit.answered();
    const notice = callNotice("SERVER_ANSWERED", { status });
    return BUSY_STATUSES.has(status) ? rest(notice, text) : refused(callText(notice));
  }

  async function upload(page: PageToSend, png: Uint8Array, device: string): Promise<Answer> {
    const mac = comparableMac(device);
    const tag = await accessPoint.readTag(device);
    if (tag === undefined) return refused(`the access point does not know the tag ${device}`);
    following.note(tag);
    const before = following.find(mac);
    const isNewest = before === undefined || page.number > before.number;
    if (!isNewest && (page.number < before.number || outcomeOf(before, tag) !== "lost")) return ACCEPTED;
    const type = await accessPoint.readTagType(tag.hardwareType);
    // A tag of an unknown type must not make its access point rest, since the other tags' pictures would wait.
    if (type === undefined)
      return refused(`the access point does not know the tag type ${typeId(tag.hardwareType)} of the tag ${device}`);
    const { jpeg, refusal } = await jpegFor(png, type);
    if (jpeg === undefined) return refused(refusal);
    const waitMs = lastUploadAt + uploadIntervalMs - clock();
    if (waitMs > 0) await setTimeout(waitMs);
    const { store, barcode, number } = page;
    const begun = { store, barcode, number, page: page.page, shownAt: countAfterNext(tag) };
    following.begin(mac, begun);
    try {
      const { status, text } = await accessPoint.upload(device, jpeg);
      const answer = judge(status, text);
      if (answer.kind === "accepted") following.accept(mac, begun);
      else following.forget(mac, begun);
      return answer;
    } catch (error) {
      following.forget(mac, begun);
      throw error;
    } finally {
      lastUploadAt = clock();
    }
  }

  return {
    address: new URL(url).origin,
    concurrency: 1,
    isAway: () => circuit.isOpen() || clock() < restsUntil,
    failingSince: circuit.failingSince,
    deniedSince: () => undefined,
    backSince: circuit.backSince,
    lastCalls: calls.lastCalls,
    seenTags: following.seenTags,

    async sendPage(page) {
      const device = deviceOf(page);
      if (device === undefined) return refused(noDevice(page));
      following.know(comparableMac(device), page);
      if (page.page !== 0) return refused("OpenEPaperLink tags have only one page");
      const { content } = page;
      if ("text" in content) return refused("OpenEPaperLink access points accept pictures, not texts");
      return call("page", () => inTurn(() => upload(page, content.png, device)));
    },

    async sendOrder(order) {
      const device = deviceOf(order);
      if (device === undefined) return refused(noDevice(order));
      if (order.order !== "flash")
        return refused(`OpenEPaperLink access points do not support the order "${order.order}"`);
      return call("flash", async () => judge(await accessPoint.flash(device, ledPattern(order.body as Flash)), ""));
    },

    async close() {
      watch.close();
      await turn;
      await passOn.close();
      await accessPoint.close();
    },
  };
}

const noDevice = ({ barcode }: Addressed): string =>
  `the label has no tag: "${barcode}" is not a MAC address, and the label's field "device" is not set`;
