import test from "ava";
import { createIdempotency, type Idempotency } from "../../../api/http/idempotency.ts";
import { ProblemError } from "../../../api/http/problem-error.ts";
import { openIdempotencyKeys } from "../../../records/leases/idempotency-keys.ts";
import { ownDatabase } from "../../harness/own.ts";

const database = ownDatabase();

/** Opens the idempotency of one process, with keys in a real database. */
const openIdempotency = () =>
  createIdempotency(
    openIdempotencyKeys(database.db, () => new Date(), 3_600),
    (error) => {
      throw error;
    },
  );

/** Makes a call that is refused; `isFound` says whether its run found a journaled request. Returns the run's name. */
async function refuse(idempotency: Idempotency, key: string, isFound: boolean) {
  let name = "";
  const call = { store: "t/demo/s/main", caller: ["till"], key, fingerprintParts: ["a call"] };
  const refused = idempotency.once(call, async () => {
    const run = idempotency.currentRun();
    if (run === undefined) throw new Error("a keyed call has a run");
    name = run.name;
    run.isFound = isFound;
    throw new ProblemError("conflict", "It is refused.");
  });
  await refused.catch((error: unknown) => {
    if (!(error instanceof ProblemError)) throw error;
  });
  return name;
}

test("a refusal before journaling frees the key: the next call is a new run", async (t) => {
  const idempotency = openIdempotency();
  t.not(await refuse(idempotency, "freed", false), await refuse(idempotency, "freed", false));
});

test("a refusal after the run found its journaled request keeps the key: the next call is the same run", async (t) => {
  const idempotency = openIdempotency();
  const first = await refuse(idempotency, "kept", true);
  t.is(await refuse(idempotency, "kept", true), first);
  t.is(await refuse(idempotency, "kept", false), first);
});
