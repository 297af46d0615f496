import type { MqttClient } from "mqtt";
import type { Logger } from "pino";

type Failure = Error & { code?: string | number };

/**
 * Logs when a broker becomes unavailable and when it is back, instead of each attempt in between. Until it is back, each
 * reason is logged once, by its code.
 */
export function logPresence(
  broker: Pick<MqttClient, "on" | "disconnecting">,
  log: Pick<Logger, "warn" | "info">,
): void {
  const logged = new Set<string | number>();
  let failure: Failure | undefined;
  broker.on("error", (error: Failure) => {
    failure = error;
  });
  // Each failed attempt ends with this event, and so does a lost connection.
  broker.on("close", () => {
    const { code, message } = failure ?? { code: "closed", message: "the broker closed the connection" };
    failure = undefined;
    const reason = code ?? message;
    if (broker.disconnecting || logged.has(reason)) return;
    logged.add(reason);
    log.warn({ reason: message || reason }, "the broker cannot be reached; another attempt is made every second");
  });
  broker.on("connect", () => {
    if (logged.size > 0) log.info("the broker is back");
    logged.clear();
  });
}
