import { setTimeout } from "node:timers/promises";
import { openMosquitto } from "../../../../test/harness/label-servers/mosquitto.ts";
import { openGateway } from "../../../mqtt-gateway/gateway.ts";
import {
  AIR_TIME_MS,
  type AirOptions,
  type AirUnderChaos,
  AWAY_SECONDS,
  CHECK_IN_MS,
  SECRET,
  unreliable,
} from "./air-under-chaos.ts";
import { sha256Of } from "./http-air.ts";
import { createTally } from "./tally.ts";

const PREFIX = "chaos";
const PASSWORD = "a-password-of-the-gateway";
const SECOND_MS = 1_000;

/** Opens an MQTT broker with an emulated gateway. */
export async function openBrokerAir({ store, seed }: AirOptions): Promise<AirUnderChaos> {
  const tally = createTally();
  const broker = await openMosquitto({ users: { shelfwire: SECRET, gateway: PASSWORD } });
  const gateway = openGateway({
    ...{ url: broker.url, user: "gateway", password: PASSWORD, prefix: PREFIX, store, airTimeMs: AIR_TIME_MS },
    scenario: { seed, calls: unreliable, reports: unreliable },
    onReceive: ({ barcode }, { png }) => tally.sent(barcode, sha256Of(png)),
    onReport({ barcode }) {
      const shown = gateway.labels.get(barcode)?.pages.get(0);
      if (shown) tally.shows(barcode, shown.sha256);
    },
  });
  /** Messages in flight at restarts. Shelfwire recognises each restart by the boot id and sends them again. */
  let inFlight = 0;
  const restart = (forgets: boolean) => {
    inFlight += tally.unsettled();
    gateway.restart({ forgets });
  };
  const checkingIn = setInterval(() => gateway.labels.checkIn(1), CHECK_IN_MS);
  return {
    server: { url: broker.url, secret: SECRET, topicPrefix: PREFIX },
    tally,
    digestOf: sha256Of,
    faults: [
      { what: "the gateway restarts and remembers", happen: async () => restart(false) },
      { what: "the gateway restarts and forgets", happen: async () => restart(true) },
      {
        what: "the broker is killed, and has forgotten its messages",
        async happen() {
          inFlight += tally.unsettled();
          await broker.kill();
          await setTimeout(AWAY_SECONDS * SECOND_MS);
          await broker.start();
        },
      },
    ],
    lost: () => gateway.mishaps.lostCalls + gateway.mishaps.lostReports + inFlight,
    violations: () => [],
    async close() {
      clearInterval(checkingIn);
      await gateway.close();
      await broker.close();
    },
  };
}
