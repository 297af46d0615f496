import { mkdtempSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { load } from "../../../../scripts/develop/load/program.ts";
import type { LoadReport } from "../../../../scripts/develop/load/report/report.ts";
import { runCommandLine } from "../../../../scripts/operate/admin/run-command-line.ts";
import { ownStack } from "../../../harness/own.ts";
import { platformToken } from "../../../harness/served.ts";

const METRICS_TOKEN = "a-token-for-the-metrics";
process.env.METRICS_TOKEN = METRICS_TOKEN;
const shelfwire = ownStack({ settings: { METRICS_TOKEN }, areSeparate: true });
const folder = mkdtempSync(join(tmpdir(), "shelfwire-load-"));
test.after.always(() => rm(folder, { recursive: true }));
const out = join(folder, "load.json");
const page = join(folder, "load.html");

/** Runs `npm run load -- ...` in this process, against the stack of this file. */
async function run(...line: string[]) {
  const ended = { code: 0, out: "", err: "" };
  ended.code = await runCommandLine([...line, "--origin", shelfwire.origin], load, {
    print(text) {
      ended.out += `${text}\n`;
    },
    complain(text) {
      ended.err += `${text}\n`;
    },
    isTerminal: false,
    openDatabases: () => shelfwire.system,
    reach: async () => [],
    close: async () => {},
  });
  return ended;
}

const readReport = async (): Promise<LoadReport> => JSON.parse(await readFile(out, "utf8"));
const short = [
  "--labels",
  "4",
  "--for",
  "2s",
  "--urgent",
  "4/s",
  "--lists",
  "40/m",
  "--flashes",
  "1/s",
  "--wait",
  "10m",
];

test.serial("a run with the operator's token reports what it did, and a second run reuses the tenants", async (t) => {
  const line = [
    ...short,
    "--stores",
    "2",
    "--tenants",
    "2",
    "--token",
    await platformToken(),
    "--out",
    out,
    "--page",
    page,
  ];
  const first = await run(...line);
  t.deepEqual([first.code, first.err], [0, ""], first.out);
  const { kinds, refusals, isGlassTimed, resources } = await readReport();
  t.true(isGlassTimed);
  t.deepEqual(refusals, []);
  for (const kind of ["urgent", "list"] as const) {
    const { planned, answered, completed, glass, missingOnGlass, unknownOnGlass } = kinds[kind];
    t.true(planned > 0);
    t.deepEqual([answered?.count, completed?.count, missingOnGlass, unknownOnGlass], [planned, planned, 0, 0], kind);
    // The timed labels of a list are drawn at random, so their number varies.
    t.true((glass?.count ?? 0) >= planned && (glass?.p50 ?? 0) > 0, kind);
  }
  t.is(kinds.flash.answered?.count, kinds.flash.planned);
  t.true((resources?.bytes.shelfwire_redis_memory_used_bytes?.max ?? 0) > 0);
  t.true((await readFile(page, "utf8")).includes("<svg "));

  const planned = kinds.urgent.planned;
  const again = await run(...line);
  t.deepEqual([again.code, again.err], [0, ""], again.out);
  t.is((await readReport()).kinds.urgent.planned, planned);
});

test.serial("--remove removes the tenants of load tests and no others", async (t) => {
  const removed = await run("--remove");
  t.deepEqual(removed, { code: 0, out: "Clean-up deletes all data of load-1, load-2.\n", err: "" });
  const headers = { authorization: `Bearer ${await platformToken()}` };
  const listed = await fetch(`${shelfwire.origin}/api/platform/v1/tenants`, { headers });
  const tenants = (await listed.json()) as { tenantId: string; removal?: { since: string; due: string } }[];
  t.deepEqual(
    tenants.map(({ tenantId, removal }) => [tenantId, removal && removal.due === removal.since]),
    [
      ["demo", undefined],
      ["load-1", true],
      ["load-2", true],
    ],
  );
  const refused = await run(...short, "--token", await platformToken());
  t.is(refused.code, 1);
  t.true(refused.err.includes('The tenant "load-1" is being removed:'), refused.err);
});

test.serial("a tenant's token uses stores of its own tenant, under the tenant's own rules", async (t) => {
  const token = await shelfwire.token();
  const played = await run(...short, "--stores", "1", "--for", "1s", "--token", token, "--out", out);
  t.deepEqual([played.code, played.err], [0, ""], played.out);
  const { list } = (await readReport()).kinds;
  t.deepEqual([list.refused, list.missingOnGlass], [0, 0]);
  const removed = await run("--remove", "--token", token);
  t.regex(
    removed.out,
    /^4 items of 1 load-test stores of the tenant "demo" are deleted\.\nThe stores and their labels stay/,
  );
});

test("an existing store or tenant with this ID that does not belong to a load test is refused, and nothing is changed", async (t) => {
  const url = `${shelfwire.origin}/t/demo/api/management/v1/stores/load-0007`;
  const store = { name: "Harbour", timeZone: "Europe/Zagreb", currency: "EUR", locale: "hr-HR", linkDepartments: [] };
  const headers = { authorization: `Bearer ${await shelfwire.token()}`, "content-type": "application/json" };
  await fetch(url, { method: "PUT", headers, body: JSON.stringify(store) });
  const refused = await run(...short, "--stores", "7", "--labels", "1", "--token", await shelfwire.token());
  t.is(refused.code, 1);
  t.true(refused.err.includes('The store "load-0007" has the name "Harbour"'), refused.err);
  const kept = (await (await fetch(url, { headers })).json()) as { name: string };
  t.is(kept.name, "Harbour");
  t.is((await fetch(url.replace("0007", "0002"), { headers })).status, 404);
});
