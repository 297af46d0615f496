import { createHash } from "node:crypto";
import { openLabelServer } from "../../../label-server/process.ts";
import {
  AIR_TIME_MS,
  type AirOptions,
  type AirUnderChaos,
  AWAY_SECONDS,
  CHECK_IN_MS,
  SECRET,
  unreliable,
} from "./air-under-chaos.ts";
import { createTally } from "./tally.ts";

/** Maximum time for which labels sleep. */
const SLEEP_SECONDS = 1;

export const sha256Of = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

/** Opens an emulated label server of the HTTP protocol, whose labels sleep. */
export async function openHttpAir({ origin, seed }: AirOptions): Promise<AirUnderChaos> {
  const tally = createTally();
  const { labels, ...server } = await openLabelServer({
    ...{ port: 0, host: "127.0.0.1", secret: SECRET, airTimeMs: AIR_TIME_MS },
    reportUrl: `${origin}/label-server/v1/reports`,
    scenario: { seed, calls: unreliable, reports: unreliable, labels: { sleepSeconds: SLEEP_SECONDS } },
    onReceive: ({ barcode }, { png }) => tally.sent(barcode, sha256Of(png)),
    onReport({ barcode }) {
      const shown = labels.get(barcode)?.pages.get(0);
      if (shown) tally.shows(barcode, shown.sha256);
    },
  });
  const checkingIn = setInterval(() => labels.checkIn(1), CHECK_IN_MS);
  /** Messages in flight at restarts. Shelfwire recognises each restart by the boot id and sends them again. */
  let inFlight = 0;
  const restart = (forgets: boolean) => {
    inFlight += tally.unsettled();
    return server.restart({ forgets, awaySeconds: AWAY_SECONDS });
  };
  return {
    server: { url: `http://127.0.0.1:${server.port}`, secret: SECRET },
    tally,
    digestOf: sha256Of,
    faults: [
      { what: "the label server restarts and remembers", happen: () => restart(false) },
      { what: "the label server restarts and forgets", happen: () => restart(true) },
    ],
    lost: () => server.mishaps.lostCalls + server.mishaps.lostReports + inFlight,
    violations: () => [],
    async close() {
      clearInterval(checkingIn);
      await server.close();
    },
  };
}
