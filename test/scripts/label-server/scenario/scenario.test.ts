import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import test from "ava";
import { openLabelServer } from "../../../../scripts/label-server/process.ts";
import { readScenario } from "../../../../scripts/label-server/scenario/read-scenario.ts";
import { eventually } from "../../../harness/eventually.ts";

const example = new URL("../../../../scripts/label-server/scenario/example.json", import.meta.url);
const entry = fileURLToPath(new URL("../../../../scripts/label-server/process.ts", import.meta.url));

test("the shipped example is a valid scenario", async (t) => {
  t.true(((await readScenario(example)).restarts ?? []).length > 0);
});

for (const [what, wrong, expected] of [
  ["a wrong value", { seed: 1, calls: { loss: 1.5 } }, "/calls/loss must be at most 1, not 1.5"],
  [
    "an unknown field",
    { seed: 1, calls: { lost: 0.1 } },
    "/calls/lost is not a field of this object; the nearest is `loss`",
  ],
] as const)
  test(`a scenario with ${what} is refused with its location before anything starts`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "shelfwire-scenario-"));
    t.teardown(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "wrong.json");
    writeFileSync(file, JSON.stringify(wrong));
    const environment = { ...process.env, LABEL_SERVER_SECRET: "a secret for label servers" };
    const run = promisify(execFile)(process.execPath, [entry, "--scenario", file], { env: environment });
    const error = await t.throwsAsync<Error & { code: number; stderr: string }>(() => run);
    t.is(error?.code, 1);
    t.true(error?.stderr.includes(expected), error?.stderr);
  });

test("a label server that restarts responds with a new boot ID, and forgets only if the scenario says so", async (t) => {
  const secret = "a secret for label servers";
  for (const forgets of [false, true]) {
    const server = await openLabelServer({
      ...{ port: 0, host: "127.0.0.1", secret, reportUrl: "http://127.0.0.1:9/none", airTimeMs: 0 },
      scenario: {
        ...{ seed: 1, labels: { dead: 1 } },
        // On a slow machine, the first of them may come before the label has its picture.
        restarts: [0.2, 2, 20, 200].map((atSeconds) => ({ atSeconds, awaySeconds: 0.1, forgets })),
      },
    });
    t.teardown(() => server.close());
    const call = async () => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/labels/A/flash`, {
        ...{ method: "POST", body: "{}" },
        headers: { authorization: `Bearer ${secret}`, store: "t/demo/s/main", "idempotency-key": "A-flash-1" },
      }).catch(() => undefined);
      return answer?.headers.get("boot-id");
    };
    const label = server.labels.obtain("A", "t/demo/s/main");
    server.labels.receive(label, { key: "A-0-1", number: 1, page: 0, png: Buffer.from("picture") });
    const before = await call();
    await eventually("it has restarted", async () => {
      const after = await call();
      return after !== undefined && after !== before;
    });
    t.is(label.transmissions.size, forgets ? 0 : 1);
  }
});
