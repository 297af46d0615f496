import { readFileSync } from "node:fs";
import test from "ava";
import { queueNames } from "../../../queues/topology.ts";
import { readRecording, storeRecording } from "../../../scripts/develop/releases/recording.ts";
import { recordedReleases } from "../../../scripts/develop/releases/unpack.ts";
import { eventually } from "../../harness/eventually.ts";
import { openShelfwire } from "../../harness/shelfwire.ts";

/** Current times differ from the recorded times. */
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/;
const YEARS_S = String(100 * 366 * 86_400);

/** Intentional differences: tenants read why a receiver was not reached, but no address in the installation's network. */
const changedTexts: ReadonlyMap<unknown, string> = new Map([
  ["connect ECONNREFUSED 127.0.0.1:9", "the receiver did not answer: ECONNREFUSED"],
]);

/**
 * Returns the parts of the recorded response that the current one lacks. Lists may be longer and in another order, and a value
 * that was null may be known by now.
 */
function lacking(recorded: unknown, now: unknown, path = ""): string[] {
  if (recorded === null) return [];
  if (Array.isArray(recorded)) {
    const found = Array.isArray(now) ? now : [];
    return recorded.flatMap((one, index) => {
      if (found.some((other) => lacking(one, other).length === 0)) return [];
      return [`${path}/${index}: ${JSON.stringify(one)} is missing`];
    });
  }
  if (typeof recorded === "object") {
    const fields = Object.entries(recorded);
    return fields.flatMap(([name, value]) =>
      lacking(value, (now as Record<string, unknown>)?.[name], `${path}/${name}`),
    );
  }
  if (typeof recorded === "string" && TIME.test(recorded) && TIME.test(String(now))) return [];
  const wanted = changedTexts.get(recorded) ?? recorded;
  return wanted === now ? [] : [`${path}: ${JSON.stringify(now)} instead of ${JSON.stringify(wanted)}`];
}

for (const { version } of recordedReleases())
  test(`data stored by ${version} is readable: jobs in every queue are processed, and the responses match those of ${version}`, async (t) => {
    const recording = readRecording(version);
    const shelfwire = await openShelfwire({
      stored: (system) => storeRecording(system.db, system.redis, recording, system.now()),
      // None of the recorded data has expired.
      settings: { RESULT_TTL: YEARS_S, OFFLINE_AFTER: YEARS_S, WEBHOOKS_PRIVATE: "127.0.0.1:*" },
    });
    t.teardown(shelfwire.close);
    await shelfwire.assertNothingStale();

    const headers = { authorization: `Bearer ${await shelfwire.token()}` };
    for (const [path, recorded] of Object.entries(recording.answers))
      await eventually(path, async () => {
        const answer = await fetch(`${shelfwire.origin}${path}`, { headers });
        const differences = lacking(recorded, await answer.json());
        if (differences.length > 0) throw new Error(differences.join("\n"));
        return true;
      });
    for (const queue of queueNames) t.is(await shelfwire.system.publisher.queue(queue).getFailedCount(), 0, queue);
    t.is(await shelfwire.system.db.collection("failure").countDocuments(), 0);
    const waiting = () => shelfwire.system.db.collection("inbox").countDocuments();
    await eventually("the notifier has read every change", async () => (await waiting()) === 0);
  });

test("the changelog names the commit of each recorded version", (t) => {
  const changelog = readFileSync(new URL("../../../CHANGELOG.md", import.meta.url), "utf8");
  for (const { version, commit } of recordedReleases())
    t.regex(changelog, new RegExp(`^## ${version} \\(\\d{4}-\\d\\d-\\d\\d, commit ${commit.slice(0, 12)}\\)$`, "m"));
});

test("every version of the changelog is recorded", (t) => {
  const changelog = readFileSync(new URL("../../../CHANGELOG.md", import.meta.url), "utf8");
  const listed = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version ?? "");
  const recorded = recordedReleases().map(({ version }) => version);
  t.true(listed.length >= 2);
  t.deepEqual(recorded, listed.toReversed(), "npm run record-release -- VERSION COMMIT");
});
