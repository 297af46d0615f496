import type { System } from "../system.ts";
import type { ProcessLabels } from "./definitions.ts";
import { type Reporter, startReporter } from "./reporter.ts";
import { watchProcess } from "./watch-process.ts";

const ID_LENGTH = 8;

/** Watches this process and reports its series, with the given kind of process. */
export function reportProcess(
  { metrics, redis, holder, now, onError }: Pick<System, "metrics" | "redis" | "holder" | "now" | "onError">,
  process: ProcessLabels["process"],
): Reporter {
  const stopWatching = watchProcess(metrics);
  const labels = { process, process_id: holder.slice(0, ID_LENGTH) };
  const reporter = startReporter({ metrics, redis, labels, now, onError: onError("metrics") });
  return {
    ...reporter,
    stop() {
      stopWatching();
      return reporter.stop();
    },
  };
}
