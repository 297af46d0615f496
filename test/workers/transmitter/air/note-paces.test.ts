import test from "ava";
import { createMetrics } from "../../../../queues/metrics/metrics.ts";
import { createNotePaces } from "../../../../workers/transmitter/air/note-paces.ts";
import { type EndedCall, firstPace, learntOf, paceAfter } from "../../../../workers/transmitter/air/pace.ts";

const MAX = 4;
const call = (outcome: EndedCall["outcome"], endedAt: number, restMs?: number): EndedCall => ({
  ...{ begunAt: endedAt - 100, endedAt, outcome, restMs, share: 0 },
});

test("a pace is learnt from the first answer; it counts as slowed while fewer calls than allowed run, and during a rest", (t) => {
  const first = firstPace(MAX);
  t.is(learntOf(first, MAX, 0), undefined);
  const taken = paceAfter(first, call("taken", 100), MAX);
  t.deepEqual(learntOf(taken, MAX, 100), { perSecond: 40, isSlowed: false });
  const busy = paceAfter(taken, call("busy", 200), MAX);
  t.deepEqual(learntOf(busy, MAX, 200), { perSecond: 20, isSlowed: true });
  const resting = paceAfter(first, call("taken", 100), MAX);
  t.like(learntOf({ ...resting, restsUntil: 900 }, MAX, 899), { isSlowed: true });
  t.like(learntOf({ ...resting, restsUntil: 900 }, MAX, 900), { isSlowed: false });
});

/** These paces' metrics, by name and statistic. */
async function metricsOf(...perSecond: number[]) {
  const metrics = createMetrics();
  const learntPaces = () => perSecond.map((one) => ({ perSecond: one, isSlowed: one < 10 }));
  await createNotePaces({ metrics, learntPaces })();
  const snapshot = await metrics.takeSnapshot();
  const valuesOf = (name: string) => snapshot.find((metric) => metric.name === name)?.values ?? [];
  return {
    slowed: valuesOf("shelfwire_label_servers_slowed")[0]?.value,
    paces: Object.fromEntries(
      valuesOf("shelfwire_label_server_pictures_per_second").map(({ labels, value }) => [labels.statistic, value]),
    ),
  };
}

test("the metrics show three paces and the number of slowed label servers, however many label servers there are", async (t) => {
  t.deepEqual(await metricsOf(30, 5, 200, 8), { slowed: 2, paces: { slowest: 5, median: 8, fastest: 200 } });
  t.deepEqual(await metricsOf(30), { slowed: 0, paces: { slowest: 30, median: 30, fastest: 30 } });
  t.deepEqual(await metricsOf(), { slowed: 0, paces: {} });
});
