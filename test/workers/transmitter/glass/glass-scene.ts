import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import Koa from "koa";
import { plStateOf } from "../../../../domain/labels/pl-state.ts";
import { refreshState } from "../../../../domain/labels/resend-pages.ts";
import type { RetrySettings } from "../../../../domain/labels/retry-waits.ts";
import type { Commit } from "../../../../queues/changes/commit.ts";
import { openChoices } from "../../../../queues/publish/choices.ts";
import { openGlassLog } from "../../../../records/glass-log.ts";
import { labelStates } from "../../../../records/kinds/labels.ts";
import { openReportInbox } from "../../../../records/outbox/report-inbox.ts";
import type { PageImage, Shown } from "../../../../schemas/image.ts";
import { idOf, labelKey } from "../../../../schemas/keys.ts";
import type { LabelReport } from "../../../../schemas/label-report.ts";
import type { Report } from "../../../../scripts/label-server/emulated-label.ts";
import { keepGlass } from "../../../../scripts/label-server/glass-file.ts";
import { createLabels } from "../../../../scripts/label-server/labels.ts";
import { labelServerRoutes } from "../../../../scripts/label-server/routes.ts";
import { httpLabelServer } from "../../../../workers/transmitter/drivers/http.ts";
import type { LabelServer } from "../../../../workers/transmitter/drivers/label-server.ts";
import { createLabelStates } from "../../../../workers/transmitter/label-states.ts";
import { createObtainLabels } from "../../../../workers/transmitter/new-labels.ts";
import { createTakeReports } from "../../../../workers/transmitter/reports/take-reports.ts";
import { oneLabelServer } from "../../../../workers/transmitter/servers/label-servers.ts";
import type { ASystem } from "../../../harness/system.ts";
import { transmitScene } from "../scene.ts";
import { SECRET } from "../serve.ts";
import { settings } from "../states.ts";

interface GlassOptions {
  /** How far the label server's clock is ahead. */
  aheadMs?: number;
  retry?: RetrySettings;
}

/** A picture that a label showed, according to the label itself. */
export interface ShownThen {
  /** The label's key. */
  label: string;
  page: number;
  image: string;
  /** The time by the scene's clock. */
  at: Date;
  transmission: number;
}

/** How the label server fails a call: it hangs up after or before accepting it, or it is busy. */
export type Answer = "takes and hangs up" | "hangs up" | "busy";

/**
 * The transmitter on real records and the emulated label server behind HTTP, with one clock that the test sets. The
 * emulator's reports wait until the test passes them on.
 */
export async function openGlassScene(
  own: ASystem,
  store: string,
  { aheadMs = 0, retry = settings }: GlassOptions = {},
) {
  const calls = callsUnderWay();
  const folder = mkdtempSync(join(tmpdir(), "shelfwire-glass-"));
  const answers: Answer[] = [];
  const waiting: Report[] = [];
  const shownLog: ShownThen[] = [];
  let emulator = openEmulator();

  function openEmulator() {
    const report = (one: Report) => {
      glass.store();
      noteShown(one);
      waiting.push(one);
    };
    const noteShown = ({ kind, barcode, page: number = 0, transmission = 0 }: Report) => {
      const page = labels.get(barcode)?.pages.get(number);
      if (kind !== "acknowledged" || page?.number !== transmission) return;
      const label = labelKey(store, barcode);
      // A delivered transmission is acknowledged again when it is repeated.
      if (shownLog.some((one) => one.label === label && one.transmission === transmission)) return;
      const image = page.text ?? page.png.toString();
      shownLog.push({ label, page: number, image, at: scene.clock.now, transmission });
    };
    const now = () => new Date(scene.clock.now.getTime() + aheadMs);
    const labels = createLabels({ airTimeMs: 0, report, now });
    const glass = keepGlass(labels, join(folder, "glass.ndjson"));
    const routes = labelServerRoutes({ labels, secret: SECRET, waitingReports: () => waiting.length }).routes();
    return { labels, routes };
  }

  const app = new Koa();
  app.silent = true;
  app.use(async (context, next) => {
    const answer = answers.shift();
    if (answer === "busy") context.status = 503;
    else if (answer !== "hangs up") await emulator.routes(context as Parameters<typeof emulator.routes>[0], next);
    if (answer === "hangs up" || answer === "takes and hangs up") context.req.socket.destroy();
  });
  const server = createServer(app.callback());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const driver = httpLabelServer(`http://127.0.0.1:${port}`, [SECRET], 16, () => scene.clock.now.getTime());
  const servers = oneLabelServer({ ...driver, sendPage: calls.counted(driver.sendPage) });

  const commit = calls.noting(own.system.commit);
  const scene = transmitScene({ ...own, system: { ...own.system, commit } }, { servers, concurrency: 16, retry });
  const { records, db } = own.system;
  const now = () => scene.clock.now;
  const obtainLabels = createObtainLabels(records, commit, async () => () => undefined);
  const metrics = { ...scene.metrics, observe: () => {} };
  const { showImages, noteReports, findStale } = createLabelStates(records, obtainLabels, scene.transmit, {
    ...{
      metrics,
      now,
      glassLog: openGlassLog(db),
      choices: openChoices(own.system.redis, () => {}),
      noteBoot: (_, bootId) => driver.noteBoot?.(bootId),
      careOfTypes: async () => new Map(),
      noteStep: () => {},
      takeSignals: async () => {},
      announceBatteries: async () => {},
    },
  });
  const reportInbox = openReportInbox(db, now);
  const errorLog = { error: (fields: unknown) => void scene.errors.push(fields) };
  const takeReports = createTakeReports({
    ...{ reportInbox, noteReports, isUnavailable: () => false, now, log: errorLog },
  });
  const newest = new Map<string, PageImage[]>();

  /** The pages on a label's glass that belong to its newest picture. */
  function glassOf(key: string): PageImage[] {
    const { pages } = emulator.labels.get(idOf(key)) ?? {};
    return (newest.get(key) ?? []).flatMap(({ page }) => {
      const { png, text } = pages?.get(page) ?? {};
      return png ? [{ page, image: text ?? png.toString(), ...(text !== undefined && { text }) }] : [];
    });
  }

  return {
    ...{ waiting, answers, findStale, newest, glassOf, shownLog },
    clock: scene.clock,
    errors: scene.errors,
    read: scene.read,

    hang: () => scene.hang({}, {}, store),

    /** Stores a picture whose content is its name. */
    storePicture: (name: string) =>
      scene.imageFiles.put("t/demo", [{ sha256: name, png: Buffer.from(name), width: 2, height: 1 }]),

    async want(key: string, pages: PageImage[], shows: Shown[] = []): Promise<void> {
      newest.set(key, pages);
      await scene.show(key, { pages, shows });
      await showImages([key], "bulk");
    },

    async refresh(key: string, stamp: number): Promise<void> {
      await commit.change(labelStates, [key], (_, state) => state && refreshState(state, stamp, now()), "bulk");
    },

    /** Passes reports to the transmitter, which applies them in one batch. */
    async report(reports: readonly Report[]): Promise<void> {
      if (reports.length > 0) await reportInbox.add(reports as LabelReport[]);
      await takeReports();
    },

    /** Runs the transmitter's timers once; returns when no call is in progress. */
    async round(): Promise<void> {
      await calls.ended();
      await scene.resume();
      await scene.sendDue();
      await calls.ended();
      // Pages that the emulator accepted arrive in a turn of the event loop that was scheduled earlier.
      await setImmediate();
    },

    async plStateOf(key: string) {
      return plStateOf(await scene.read(key), false, now(), Number.POSITIVE_INFINITY);
    },

    emulator: () => emulator.labels,

    /** Restarts the label server: its glass is kept, and it loses transmissions in the air and its memory of keys. */
    restart(): void {
      const offline = [...emulator.labels.all()].filter((label) => label.offline);
      emulator = openEmulator();
      for (const { barcode } of offline)
        emulator.labels.set(emulator.labels.obtain(barcode, store).barcode, { offline: true });
    },

    async close(): Promise<void> {
      await scene.close();
      await driver.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      rmSync(folder, { recursive: true });
    },
  };
}

/** Tracks calls to a label server until their results are written. */
function callsUnderWay() {
  /** Keys of labels whose call is in progress or whose response is not recorded yet. */
  const open = new Set<string>();
  let onEnd = () => {};
  const end = (key: string) => {
    open.delete(key);
    if (open.size === 0) onEnd();
  };
  return {
    counted:
      (sendPage: LabelServer["sendPage"]): LabelServer["sendPage"] =>
      async (page) => {
        const key = labelKey(page.store, page.barcode);
        open.add(key);
        const answer = await sendPage(page);
        // An accepted call is recorded only by its report.
        if (answer.kind === "accepted") end(key);
        return answer;
      },
    noting: ({ write, change }: Commit): Commit => ({
      write,
      async change(kind, keys, ...rest) {
        const changed = await change(kind, keys, ...rest);
        if (kind.name === labelStates.name) for (const key of keys) end(key);
        return changed;
      },
    }),
    async ended(): Promise<void> {
      while (open.size > 0)
        await new Promise<void>((ended) => {
          onEnd = ended;
        });
    },
  };
}
