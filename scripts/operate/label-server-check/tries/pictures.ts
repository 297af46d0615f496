import { reprDigest } from "../../../../runtime/repr-digest.ts";
import type { OrderName } from "../caller.ts";
import { noise } from "../pictures.ts";
import type { Trial, Try } from "../trial.ts";
import { Broken, NotTried } from "../verdict.ts";
import { orderBodies } from "./orders.ts";

const DENIED = [401, 403];
const REFUSED = [404, 410];
const SEGMENT_TEXT = "    1,99";

/** Makes every kind of call without the right secret. All must be denied, and none may have an effect. */
async function tryAuthorization(trial: Trial, authorization: string | undefined): Promise<void> {
  const headers = { authorization };
  const picture = trial.picture({ headers });
  const orders = Object.entries(orderBodies).map(([order, body]) =>
    trial.picture({ headers, content: { order: order as OrderName, body } }),
  );
  for (const one of [picture, ...orders]) {
    const { sent, status, came } = await trial.call(one);
    const how = authorization === undefined ? "without a secret" : "with another secret";
    if (!DENIED.includes(status)) throw new Broken({ sent: `${sent}, ${how}`, expected: "401 or 403", came });
  }
}

export const pictureTries: readonly Try[] = [
  { rule: "secret-required", run: (trial) => tryAuthorization(trial, undefined) },
  {
    rule: "secret-compared",
    run: (trial) => tryAuthorization(trial, `Bearer not-${trial.settings.secret}`),
  },
  {
    rule: "picture-accepted",
    async run(trial) {
      const { sent, status, came } = await trial.call(trial.picture());
      if (status !== 202) throw new Broken({ sent, expected: "202", came });
    },
  },
  {
    rule: "picture-acknowledged",
    needs: ["picture-accepted"],
    async run(trial) {
      await trial.deliver(trial.picture());
    },
  },
  {
    rule: "large-picture",
    needs: ["picture-acknowledged"],
    async run(trial) {
      await trial.deliver(trial.picture({ content: { page: 0, png: noise(trial.settings.largeSize) } }));
    },
  },
  {
    rule: "digest-compared",
    needs: ["picture-acknowledged"],
    async run(trial) {
      const { segmentBarcode } = trial.settings;
      const headers = { "repr-digest": reprDigest("another body") };
      const calls = [trial.picture({ headers })];
      if (segmentBarcode !== undefined)
        calls.push(trial.picture({ headers, barcode: segmentBarcode, content: { text: SEGMENT_TEXT } }));
      for (const one of calls) {
        const { sent, status, came } = await trial.call(one);
        if (status === 202 || status === 0)
          throw new Broken({ sent: `${sent}, with the digest of another body`, expected: "400", came });
      }
      await trial.settle();
      for (const { number } of calls)
        if (trial.reportsOf(number).length > 0)
          throw new Broken({
            sent: `the number ${number}, with the digest of another body`,
            expected: "no acknowledgement",
            came: "an acknowledgement",
          });
    },
  },
  {
    rule: "optional-headers",
    needs: ["picture-accepted"],
    async run(trial) {
      const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
      const kinds = [{}, { transceiver: "T1" }, { transceiver: "T1, T%2C2" }, { traceparent }, { refresh: "full" }];
      for (const headers of kinds)
        for (const priority of ["high", "normal", "low"]) {
          const answer = await trial.call(trial.picture({ headers: { priority, ...headers } }));
          const sent = `${answer.sent} and ${JSON.stringify({ priority, ...headers })}`;
          if (answer.status !== 202) throw new Broken({ sent, expected: "202", came: answer.came });
        }
    },
  },
  {
    rule: "pages-separate",
    needs: ["picture-acknowledged"],
    async run(trial) {
      if (trial.settings.pages < 2) throw new NotTried("the label has one page (--pages)");
      const second = trial.picture({ page: 1 });
      await trial.deliver(trial.picture());
      await trial.deliver(second);
    },
  },
  {
    rule: "segments-acknowledged",
    needs: ["picture-acknowledged"],
    async run(trial) {
      const { segmentBarcode } = trial.settings;
      if (segmentBarcode === undefined) throw new NotTried("--segment-barcode names no label");
      await trial.deliver(trial.picture({ barcode: segmentBarcode, content: { text: "    2,49" } }));
    },
  },
  {
    rule: "segments-shown",
    needs: ["segments-acknowledged"],
    async run(trial) {
      const { segmentBarcode, rig } = trial.settings;
      if (segmentBarcode === undefined || !rig) throw new NotTried("--segment-barcode or --rig is absent");
      const one = trial.picture({ barcode: segmentBarcode, content: { text: SEGMENT_TEXT } });
      await trial.deliver(one);
      const sent = `PUT segments with the number ${one.number}`;
      await trial.looksLike(sent, `"${SEGMENT_TEXT}"`, ({ segments }) => segments === SEGMENT_TEXT, segmentBarcode);
    },
  },
  {
    rule: "unknown-label",
    needs: ["picture-acknowledged"],
    async run(trial) {
      const { unknownBarcode } = trial.settings;
      if (unknownBarcode === undefined) throw new NotTried("--unknown-barcode names no barcode");
      const one = trial.picture({ barcode: unknownBarcode });
      const { sent, status, came } = await trial.call(one);
      if (REFUSED.includes(status)) return;
      if (status !== 202) throw new Broken({ sent, expected: "404, or 202 and a report", came });
      await trial.reported(one, sent, 0, "failed");
    },
  },
  {
    rule: "many-labels",
    needs: ["picture-acknowledged"],
    async run(trial) {
      const { barcodes } = trial.settings;
      if (barcodes.length < 2) throw new NotTried("--barcode names one label");
      await Promise.all(barcodes.map((barcode) => trial.deliver(trial.picture({ barcode }))));
    },
  },
];
