import type { Metrics } from "../../../queues/metrics/metrics.ts";
import type { LearntPace } from "./pace.ts";

interface NotePacesWorld {
  metrics: Pick<Metrics, "set">;
  learntPaces(): readonly LearntPace[];
}

/**
 * Returns a function that sets the metrics of how many pictures label servers accept. A series for each of thousands of label
 * servers would overload Prometheus, so the metrics show only the slowest, the median and the fastest label server.
 */
export const createNotePaces =
  ({ metrics, learntPaces }: NotePacesWorld) =>
  async (): Promise<void> => {
    const paces = learntPaces().toSorted((a, b) => a.perSecond - b.perSecond);
    metrics.set("shelfwire_label_servers_slowed", {}, paces.filter(({ isSlowed }) => isSlowed).length);
    for (const [statistic, index] of [
      ["slowest", 0],
      ["median", Math.floor((paces.length - 1) / 2)],
      ["fastest", paces.length - 1],
    ] as const) {
      const pace = paces[index];
      if (pace) metrics.set("shelfwire_label_server_pictures_per_second", { statistic }, pace.perSecond);
    }
  };
