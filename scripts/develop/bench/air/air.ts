import pLimit from "p-limit";
import { Pool } from "undici";
import { idOf } from "../../../../schemas/keys.ts";
import type { DemoStack } from "../../../demo/with-stack.ts";
import { median, printLimitedRow, printRow } from "../report.ts";
import { type Air, CONCURRENCY, openAir } from "./open-air.ts";
import { applyReports } from "./reports.ts";

const SERVERS = 200;
const HANGING = 20;
const LABELS_PER_SERVER = 20;
const ONE_SERVERS_LABELS = 2_000;
const ROUNDS = 3;
/** Time that a label server takes to accept a picture, from Shelfwire or from a bare PUT. */
const ANSWER_MS = 20;

/**
 * Measures two hundred label servers, twenty of which hang. Compares the rate and the times of the others with those when none
 * hangs, the rate of transmissions with that of bare PUTs of the same pictures, and the rate of reports with that of bare
 * writes of the same documents.
 */
export async function benchAir(demo: DemoStack, database: string): Promise<void> {
  const air = await openAir(demo, database, SERVERS);
  try {
    await benchTransmissions(air, ANSWER_MS, 0.7);
    await benchTransmissions(air, 0, 0);
    await benchHanging(air);
    await applyReports(air, demo, database);
  } finally {
    await air.close();
  }
}

const progress = (text: string): void => void process.stderr.write(`     ${text}\n`);

/** Returns the milliseconds until the label servers have a picture for each of these labels. */
async function timeOf(air: Air, keys: readonly string[], also: readonly string[] = []): Promise<number> {
  const began = Date.now();
  await air.want([...also, ...keys]);
  return Math.max(...(await air.untilArrived(keys)).values()) - began;
}

async function benchTransmissions(air: Air, answerMs: number, minRatio: number): Promise<void> {
  const keys = air.labelsOf(ONE_SERVERS_LABELS, 0, 1);
  const [transmitted, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    await air.behave({ hanging: 0, answerMs });
    const took = await timeOf(air, keys);
    await air.behave({ hanging: 0, answerMs });
    const bareTook = await timeOfPuts(air, keys);
    progress(`round ${round}: ${took} ms, bare ${bareTook} ms`);
    // The first round meets cold servers.
    if (round > 0) transmitted.push(took);
    if (round > 0) bare.push(bareTook);
  }
  printRow({
    what: `${keys.length} transmissions to a label server that answers in ${answerMs} ms`,
    against: "bare HTTP PUTs of the same PNGs",
    rate: (keys.length * 1_000) / median(transmitted),
    baseline: (keys.length * 1_000) / median(bare),
    unit: "pictures",
    minRatio,
  });
}

async function timeOfPuts({ urlOf, images }: Air, keys: readonly string[]): Promise<number> {
  const { origin, pathname } = new URL(urlOf(0));
  const pool = new Pool(origin, { connections: CONCURRENCY });
  const began = Date.now();
  await pLimit(CONCURRENCY).map(keys, async (key, index) => {
    const { body } = await pool.request({
      method: "PUT",
      path: `${pathname}/labels/${idOf(key)}/pages/0`,
      headers: { "content-type": "image/png" },
      body: images[index % images.length]?.png ?? "",
    });
    await body.dump();
  });
  const took = Date.now() - began;
  await pool.close();
  return took;
}

/** Alternately measures a round in which all label servers respond and a round in which the first ones hang. */
async function benchHanging(air: Air): Promise<void> {
  const others = air.labelsOf(LABELS_PER_SERVER, HANGING);
  const first = air.labelsOf(LABELS_PER_SERVER, 0, HANGING);
  const times = { alone: [] as number[], beside: [] as number[] };
  const urgent = { alone: [] as number[], beside: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [when, hanging] of [
      ["alone", 0],
      ["beside", HANGING],
    ] as const) {
      await air.behave({ hanging, answerMs: ANSWER_MS });
      const took = await timeOf(air, others, first);
      progress(`round ${round}, ${hanging} hang: ${took} ms`);
      if (round > 0) times[when].push(took);
      await air.behave({ hanging, answerMs: ANSWER_MS });
      if (round > 0) urgent[when].push(...(await timesOfUrgent(air, others, first)));
    }
  const what = `${SERVERS} label servers, of which ${HANGING} hang`;
  printRow({
    what: `${what}: pictures of the others`,
    ...{ against: "while none hangs", unit: "pictures", minRatio: 0.9 },
    rate: (others.length * 1_000) / median(times.beside),
    baseline: (others.length * 1_000) / median(times.alone),
  });
  printLimitedRow({
    what: `${what}: 99% of urgent pictures of the others are there`,
    ...{ against: "while none hangs", unit: "ms", maxRatio: 1.2 },
    value: percentile(urgent.beside, 0.99),
    baseline: percentile(urgent.alone, 0.99),
  });
}

const URGENT_BATCHES = 20;
const URGENT_LABELS = 25;

/** Returns how many milliseconds urgent pictures take while the labels of the first label servers change as well. */
async function timesOfUrgent(air: Air, others: readonly string[], first: readonly string[]): Promise<number[]> {
  const took: number[] = [];
  for (let batch = 0; batch < URGENT_BATCHES; batch += 1) {
    const keys = others.filter((_, index) => index % URGENT_BATCHES === batch).slice(0, URGENT_LABELS);
    await air.want(first.filter((_, index) => index % URGENT_BATCHES === batch));
    const began = Date.now();
    await air.want(keys, "interactive");
    took.push(...[...(await air.untilArrived(keys)).values()].map((at) => at - began));
  }
  return took;
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
