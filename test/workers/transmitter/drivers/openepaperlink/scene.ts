import type { ExecutionContext } from "ava";
import { encodePng } from "../../../../../drawing/pixels/png.ts";
import type { Color } from "../../../../../schemas/color.ts";
import type { LabelReport } from "../../../../../schemas/label-report.ts";
import { type Behaviour, usualBehaviour } from "../../../../../scripts/access-point/access-point.ts";
import { serveAccessPoint } from "../../../../../scripts/access-point/serve.ts";
import { openDriver } from "../../../../../workers/transmitter/drivers/open-driver.ts";
import { eventually } from "../../../../harness/eventually.ts";

export const MAC = "00000218D6C53B19";
const SECOND_MS = 20;
const SIZE = { width: 296, height: 128 };
const palette: Color[] = ["white", "black", "red"];

/** Pixels that differ for each number. */
export const pixelsOf = (number: number): Uint8Array =>
  Uint8Array.from({ length: SIZE.width * SIZE.height }, (_, index) => ((index * (number + 1)) >> 5) % palette.length);

/**
 * An emulated access point on which a second lasts `SECOND_MS`, its driver, and the reports that the driver has sent. The
 * access point and the driver end with the test.
 */
export async function openScene(t: ExecutionContext, behaviour: Partial<Behaviour> = {}) {
  const accessPoint = await serveAccessPoint({ ...usualBehaviour, secondMs: SECOND_MS, sleep: 10, ...behaviour });
  const reports: LabelReport[] = [];
  const driver = openDriver(
    { url: accessPoint.url, secret: "not used", driver: "openepaperlink", uploadIntervalMs: SECOND_MS },
    {
      ...{ concurrency: 4, clock: () => performance.now(), now: () => new Date(), onCall: () => {} },
      ...{ served: async () => [], log: { warn: () => {} } },
      report: async (more) => reports.push(...more) > 0,
    },
  );
  t.teardown(async () => {
    await driver.close();
    await accessPoint.close();
  });
  const pageOf = (number: number, barcode = MAC) => ({
    ...{ store: "t/demo/s/main", barcode, page: 0, number },
    ...{ priority: "normal" as const, transceivers: [] },
    content: { png: encodePng({ ...SIZE, palette, pixels: pixelsOf(number) }) },
  });
  type Page = Parameters<typeof driver.sendPage>[0];
  /** Sends a page and, as the transmitter does, sends it again if a busy machine kept the access point from answering in time. */
  const sendPage = (page: Page) =>
    eventually("the access point answers", async () => {
      const answer = await driver.sendPage(page);
      return answer.kind === "later" && /did not answer: TimeoutError/.test(answer.reason ?? "") ? undefined : answer;
    });
  return {
    accessPoint,
    driver,
    reports,
    pageOf,
    sendPage,
    send: (number: number, barcode = MAC) => sendPage(pageOf(number, barcode)),
    /** Waits for a report about a transmission. */
    reported: (kind: LabelReport["kind"], transmission: number, barcode = MAC) =>
      eventually(`${barcode} has ${kind} ${transmission}`, async () =>
        reports.find((one) => one.kind === kind && one.transmission === transmission && one.barcode === barcode),
      ),
  };
}
