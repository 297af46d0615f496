import { mkdtemp, rm } from "node:fs/promises";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { readSettings } from "../../runtime/read-settings.ts";
import { onFreePort } from "../start/ports.ts";
import { SHORT_RUN_JAVA, startMongo } from "../start/servers.ts";
import { readCommandLine } from "./command-line.ts";
import { isIn, placeOf, sample } from "./mutate/choose-mutants.ts";
import { instrument } from "./mutate/instrument.ts";
import { isOfFolder, isPure, nearestTests } from "./mutate/nearest-tests.ts";
import { appendResult, keysOf, readKilled } from "./mutate/results.ts";
import { createTestRuns } from "./mutate/run-tests.ts";
import { createTrial, type NearTests, type Tried } from "./mutate/try-mutants.ts";
import { readRepository, referrersOf } from "./test/changed-tests.ts";

/**
 * `npm run mutate -- [records queues/changes/commit.ts queues/redis.ts:12] [--sample 200 --seed 1] [--tests 6]` changes the
 * code in one small place at a time and checks whether a test fails. Names are files, folders or lines. Without names, the
 * folders in `ROOMS` are used. Prints the mutants that survive, and how many were killed in each folder. Exit code 1 if one
 * survives. A mutant that changes nothing is marked in the code: `// Stryker disable next-line all: reason`.
 */
const ROOMS = [
  "records",
  "queues",
  "workers/transmitter",
  "workers/evaluator",
  "domain/expression",
  "domain/packs",
  "domain/linking",
];
/** Tests that cross all folders. They try the mutants that no near test reaches. */
const BROAD_TESTS = [
  "test/flow/price-on-the-glass.test.ts",
  "test/flow/links/links-on-the-glass.test.ts",
  "test/flow/observed/events.test.ts",
  "test/flow/pictures/page-image.test.ts",
  "test/flow/rebuilt-by-audit.test.ts",
  "test/api/management/subscriptions/tail.test.ts",
];
const { options: values, arguments: positionals } = readCommandLine("npm run mutate --", {
  arguments: ["PLACE..."],
  means:
    "change the code in one small place at a time, and list the changes that no test detects; a place is a file, folder or line",
  options: {
    sample: { takes: "NUMBER", means: "try only this many of the changes, chosen at random" },
    seed: { takes: "NUMBER", initial: "1", means: "seed for the sample" },
    tests: {
      takes: "NUMBER",
      initial: "6",
      means: "number of nearest tests to run, in addition to the pure and the broad ones",
    },
    also: { takes: "TEST", isRepeated: true, means: "an additional test to run; may be repeated" },
    quick: {
      means: "run only tests that can be repeated within one process: most of the result in a tenth of the time",
    },
    results: {
      takes: "FILE",
      means: "keep the verdicts in this file; changes that it lists as killed are not tried again",
    },
  },
});
const say = (text: string) => process.stdout.write(`${text}\n`);
// These are hours of work for which nobody waits, so the machine's other work comes first.
setPriority(19);

process.once("SIGINT", () => process.exit(1));
process.once("SIGTERM", () => process.exit(1));

const places = (positionals.length > 0 ? positionals : ROOMS).map(placeOf);
const repository = readRepository();
const code = [...repository].filter(([file]) => file.endsWith(".ts") && places.some((place) => isIn(place, file)));
const { mutants: all, sources } = await instrument(new Map(code));
const within = all.filter(({ file, line }) => places.some((place) => isIn(place, file, line)));
const chosen = values.sample ? sample(within, Number(values.sample), Number(values.seed)) : within;
say(`# ${chosen.length} of ${within.length} mutants, seed ${values.seed}`);

const keyOf = keysOf(all);
const known = values.results ? readKilled(values.results) : new Map<string, string>();

const referrers = referrersOf(repository, [...repository.keys()]);
const { DATA_DIR, MONGODB_URL } = readSettings(["DATA_DIR"], ["MONGODB_URL"]);
const mongo = MONGODB_URL
  ? undefined
  : await onFreePort((port) => startMongo(port, DATA_DIR, undefined, SHORT_RUN_JAVA));
const folder = await mkdtemp(join(tmpdir(), "shelfwire-mutate-"));
const tried = chosen.flatMap((mutant): Tried[] => {
  const by = known.get(keyOf(mutant));
  return by === undefined ? [] : [{ mutant, verdict: "killed", by }];
});
try {
  const files = new Set(chosen.map(({ file }) => file));
  const runs = createTestRuns(
    folder,
    new Map([...sources].filter(([file]) => files.has(file))),
    MONGODB_URL ?? mongo?.url ?? "",
  );
  const tryMutants = createTrial({
    runs,
    onBroken: (test) => say(`# ${test} does not pass by itself, so it is not used`),
    tidy: dropDatabases,
  });
  const asked = chosen.filter((mutant) => !known.has(keyOf(mutant)));
  for await (const one of tryMutants(asked, testsFor)) {
    tried.push(one);
    if (values.results) appendResult(values.results, keyOf(one.mutant), one);
    if (one.verdict !== "killed") say(`# ${tried.length} of ${chosen.length}\n${describe(one)}`);
  }
} finally {
  await mongo?.stop();
  await rm(folder, { recursive: true, force: true });
}

for (const room of new Set(
  tried.map(({ mutant }) => ROOMS.find((name) => isIn({ path: name }, mutant.file)) ?? "other"),
))
  say(
    totalOf(
      room,
      tried.filter(({ mutant }) => room === "other" || isIn({ path: room }, mutant.file)),
    ),
  );
say(totalOf("together", tried));
process.exitCode = tried.some((one) => !isKilled(one)) ? 1 : 0;

/** Returns the nearest tests, and every pure test in the same folder, since these cost little. */
function testsFor(file: string): NearTests {
  const near = nearestTests(file, referrers).filter(
    (test, index) => index < Number(values.tests) || (isOfFolder(test, file, repository) && isPure(test, repository)),
  );
  const nearest = [...new Set([...near, ...values.also])];
  const pure = nearest.filter((test) => isPure(test, repository));
  // Fault tests stop processes and wait for them, so one process per mutant is cheaper than a shared process.
  const switched = [...pure, ...nearest.filter((test) => !pure.includes(test) && !test.startsWith("test/faults/"))];
  return {
    switched: { each: switched, unreached: BROAD_TESTS },
    // Code that runs when a module is loaded cannot be switched. Instead, a process is started for each mutant, which is
    // cheap for a pure test.
    alone: values.quick ? { each: [], unreached: pure } : { each: nearest, unreached: BROAD_TESTS },
  };
}

function isKilled({ verdict }: Tried): boolean {
  return verdict === "killed" || verdict === "late";
}

function describe({ mutant: { file, line, original, replacement }, verdict, by }: Tried): string {
  return `${verdict}${by ? ` by ${by}` : ""} ${file}:${line} ${original} -> ${replacement}`;
}

function totalOf(room: string, results: readonly Tried[]): string {
  const count = (verdict: Tried["verdict"]) => results.filter((one) => one.verdict === verdict).length;
  const killed = results.filter(isKilled).length;
  const percent = ((100 * killed) / Math.max(results.length, 1)).toFixed(1);
  return `${room}: ${killed} of ${results.length} killed (${percent} %; ${count("late")} by time), ${count("survived")} survived, ${count("unreached")} unreached`;
}

/** Removes databases that killed tests left on this run's server. */
async function dropDatabases(): Promise<void> {
  if (!mongo) return;
  const client = new MongoClient(mongo.url);
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  await Promise.all(
    databases.filter(({ name }) => name.startsWith("test-")).map(({ name }) => client.db(name).dropDatabase()),
  );
  await client.close();
}
