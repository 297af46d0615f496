import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { instrument } from "../../../../scripts/develop/mutate/instrument.ts";
import type { TimeLimits } from "../../../../scripts/develop/mutate/plan.ts";
import { createTestRuns } from "../../../../scripts/develop/mutate/run-tests.ts";
import { createTrial, type Tried } from "../../../../scripts/develop/mutate/try-mutants.ts";
import { findDatabasePlace } from "../../../harness/databases/databases.ts";

const FILE = "domain/linking/barcodes/barcode-scheme.ts";
const TEST = "test/domain/linking/barcodes/barcode-scheme.test.ts";
const INBOX = "records/outbox/inbox.ts";
/** A busy machine may take minutes to start a process, and none of these mutants hangs. */
const PATIENT_MS = 300_000;
const patientLimits: TimeLimits = {
  baseline: PATIENT_MS,
  mutantGrace: PATIENT_MS,
  silence: PATIENT_MS,
  switchedTest: PATIENT_MS,
  switchedMutant: PATIENT_MS,
  switchedGrace: PATIENT_MS,
};

test("a rule's test kills a mutant that breaks the rule, in a process with other mutants or in a process of its own", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-mutate-test-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const { mutants: all, sources } = await instrument(new Map([[FILE, readFileSync(FILE, "utf8")]]));
  const mutants = all.slice(0, 4);
  const broken: string[] = [];
  const trial = createTrial({
    runs: createTestRuns(folder, sources, "", patientLimits),
    onBroken: (name) => broken.push(name),
    tidy: async () => {},
  });
  const verdicts = async (chosen: typeof mutants, switched: string[]): Promise<Tried[]> =>
    Array.fromAsync(
      trial(chosen, () => ({ switched: { each: switched, unreached: [] }, alone: { each: [TEST], unreached: [] } })),
    );

  const switched = await verdicts(mutants, [TEST]);
  t.is(switched.length, mutants.length);
  const killed = switched.filter(({ verdict }) => verdict === "killed").map(({ mutant }) => mutant);
  t.true(killed.length >= 3);
  t.deepEqual(
    (await verdicts(killed.slice(0, 1), [])).map(({ verdict, by }) => [verdict, by]),
    [["killed", TEST]],
  );
  t.deepEqual(broken, []);
});

test("a test with a database tries many mutants in one process, with its hooks around each run", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-mutate-test-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const { mutants, sources } = await instrument(new Map([[INBOX, readFileSync(INBOX, "utf8")]]));
  const place = await findDatabasePlace();
  t.teardown(() => place.drop());
  const runs = createTestRuns(folder, sources, place.mongoUrl, patientLimits);
  // The mutants in `add`. Without the hook that empties the collection, the next run would find the previous run's
  // data.
  const ofAdd = mutants.filter(({ original }) => /^{ (const since = now|_id: randomUUID)/.test(original));
  t.is(ofAdd.length, 2);
  const ids = ofAdd.map(({ id }) => id);
  t.deepEqual(await runs.runSwitched("test/records/outbox/inbox.test.ts", ids), {
    killed: new Set(ids),
    survived: new Set(),
  });
});

test("a mutant that leaves something behind does not hide failures of other tests", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-mutate-test-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = "domain/expression/meter.ts";
  const { mutants, sources } = await instrument(new Map([[file, readFileSync(file, "utf8")]]));
  // The first mutant leaves its budget to whatever is evaluated next. Only this test detects that mutant or the second one.
  const ids = mutants
    .filter(({ original }) => original === "{ budget = outer; }" || original === '"BudgetError"')
    .map(({ id }) => id);
  t.is(ids.length, 2);
  const runs = createTestRuns(folder, sources, "", patientLimits);
  const { killed } = await runs.runSwitched("test/domain/expression/limits/steps.test.ts", ids);
  t.deepEqual([...killed].toSorted(), ids.toSorted());
});
