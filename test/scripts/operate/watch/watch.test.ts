import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { parse } from "csv-parse/sync";
import { pino } from "pino";
import { Shelfwire } from "../../../../docs/typescript-client/index.ts";
import type { Mapping } from "../../../../scripts/operate/import/mapping.ts";
import { openWatcher } from "../../../../scripts/operate/watch/watch-folder.ts";
import { eventually } from "../../../harness/eventually.ts";
import { startProcess } from "../../../harness/processes/own-process.ts";
import { servedStack } from "../../../harness/served-stack.ts";

const served = servedStack({ workers: ["item", "pages"] });
const mapping: Mapping = { itemId: "Id", price: "Price", file: { numbers: { Price: { decimals: 2 } } } };
const STILL_MS = 5_000;
/** How long a call and its result may take: longer than any machine takes. */
const PATIENT = { patienceMs: 600_000, timeoutMs: 600_000, resultTimeoutMs: 600_000 };

function aFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), "shelfwire-watch-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a watcher in this process; `turns` runs two polls, so that each existing file counts as unchanged. */
async function aWatcher(t: ExecutionContext, how: { origin?: string; attempts?: number } = {}) {
  const { origin = served.origin, attempts = Number.POSITIVE_INFINITY } = how;
  const folder = aFolder(t);
  const token = await served.token();
  const store = new Shelfwire({ store: `${origin}/t/demo/s/main`, token, attempts, ...PATIENT });
  const log = pino({ level: "silent" });
  const watcher = await openWatcher({ folder, store, mapping, stillMs: STILL_MS, resumeWithinMs: 60_000, log });
  let steady = 0;
  const turn = (date = Date.now()) => {
    steady += STILL_MS;
    return watcher.turn({ date, steady });
  };
  return { folder, turn, turns: async () => [await turn(), await turn()] };
}

const namesIn = (folder: string, ending = ".csv") =>
  readdirSync(folder).flatMap((name) => (name.endsWith(ending) && !name.endsWith(`report${ending}`) ? name : []));

/** Returns the report about the only file in a folder. */
function reportIn(folder: string): string[][] {
  const [name = ""] = readdirSync(folder).filter((one) => one.endsWith(".report.csv"));
  return parse(readFileSync(join(folder, name)), { from: 2 });
}

const priceOf = async (itemId: string) =>
  ((await (await served.call("GET", `/items/${itemId}`)).json()) as { value: { price: string } }).value.price;

test("every row is in the report, either applied or refused with its reason", async (t) => {
  const { folder, turns } = await aWatcher(t);
  writeFileSync(join(folder, "list.csv"), `Id,Price\nr1,1.9\nr2,free\n${"x".repeat(200)},2\nr3,3\n`);
  await turns();
  t.is(namesIn(join(folder, "done")).length, 1);
  t.deepEqual(namesIn(join(folder, "working")), []);
  const report = reportIn(join(folder, "done"));
  t.deepEqual(
    report.map(([line, itemId, status]) => [line, itemId?.slice(0, 3), status]),
    [
      ["2", "r1", "SUCCESS_NEW_ITEM"],
      ["3", "r2", "REFUSED"],
      ["4", "xxx", "REFUSED"],
      ["5", "r3", "SUCCESS_NEW_ITEM"],
    ],
  );
  t.regex(report[1]?.[3] ?? "", /Price: "free" must be a number/);
  t.regex(report[2]?.[3] ?? "", /itemId .*128/);
  t.deepEqual([await priceOf("r1"), await priceOf("r3")], ["1.90", "3.00"]);
});

test("a broken file is moved aside with its reason, and the next file is applied", async (t) => {
  const { folder, turns } = await aWatcher(t);
  writeFileSync(join(folder, "broken.csv"), "Id,Price\nb1,1\nb2");
  writeFileSync(join(folder, "whole.csv"), "Id,Price\nb3,1\n");
  writeFileSync(join(folder, "half.csv.part"), "Id,Price\nb4,1\n");
  await turns();
  const [reason = ""] = readdirSync(join(folder, "failed")).filter((name) => name.endsWith("broken.csv.reason.txt"));
  t.regex(readFileSync(join(folder, "failed", reason), "utf8"), /Invalid Record Length/);
  t.is(namesIn(join(folder, "failed")).length, 1);
  t.is(await priceOf("b3"), "1.00");
  t.deepEqual(namesIn(folder, ".part"), ["half.csv.part"]);
});

test("an older list that arrives together with a newer list does not override it", async (t) => {
  const { folder, turns } = await aWatcher(t);
  writeFileSync(join(folder, "a-newer.csv"), "Id,Price\no1,2\n");
  writeFileSync(join(folder, "z-older.csv"), "Id,Price\no1,1\n");
  utimesSync(join(folder, "z-older.csv"), 1, 1);
  await turns();
  t.is(await priceOf("o1"), "2.00");
});

test("while the API is unreachable a file stays in work, and if this lasts too long it fails rather than being applied late", async (t) => {
  const { folder, turns, turn } = await aWatcher(t, { origin: "http://127.0.0.1:9", attempts: 1 });
  writeFileSync(join(folder, "list.csv"), "Id,Price\nl1,1\n");
  await turns();
  t.is(namesIn(join(folder, "working")).length, 1);
  await turn(Date.now() + 61_000);
  t.deepEqual(namesIn(join(folder, "working")), []);
  const [reason = ""] = readdirSync(join(folder, "failed")).filter((name) => name.endsWith(".reason.txt"));
  t.regex(readFileSync(join(folder, "failed", reason), "utf8"), /unknown which of its rows were applied/);
});

/** Opens a proxy in front of the API, which calls `before` when a call has been performed but not yet answered. */
async function aFront(t: ExecutionContext, before: (call: string) => void): Promise<string> {
  const front = createServer(async (request, response) => {
    const { method = "", url = "" } = request;
    const headers = Object.fromEntries(
      ["authorization", "content-type", "idempotency-key"].flatMap((name) => {
        const value = request.headers[name];
        return typeof value === "string" ? [[name, value]] : [];
      }),
    );
    const body = method === "GET" ? undefined : Buffer.concat(await Array.fromAsync(request));
    const answer = await fetch(`${served.origin}${url}`, { method, headers, ...(body && { body }) });
    const text = await answer.text();
    before(`${method} ${url}`);
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" }).end(text);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    front.closeAllConnections();
    front.close();
  });
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}

// Serial, since the test counts the store's requests.
test.serial("if processes are killed, every row is applied once and every report is complete", async (t) => {
  const folder = aFolder(t);
  const mappingFile = join(folder, "..", `${folder.split("/").at(-1)}.json`);
  writeFileSync(mappingFile, JSON.stringify(mapping));
  t.teardown(() => rmSync(mappingFile));
  const requests: string[] = [];
  const kills = [/PATCH/, /items-result/, /PATCH/];
  let watcher: ReturnType<typeof startProcess> | undefined;
  const origin = await aFront(t, (call) => {
    if (call.startsWith("PATCH")) requests.push(call);
    if (!kills[0]?.test(call)) return;
    kills.shift();
    process.kill(watcher?.pid ?? 0, "SIGKILL");
  });
  const token = await served.token({ subject: "watched-folder" });
  const words = ["--mapping", mappingFile, "--origin", origin, "--token", token, "--still-for", "1"];
  mkdirSync(join(folder, "in"));
  for (const [index, name] of ["one.csv", "two.csv"].entries()) {
    writeFileSync(join(folder, "in", name), `Id,Price\n${name},1\nk${index},${index + 1}\n`);
    renameSync(join(folder, "in", name), join(folder, name));
    utimesSync(join(folder, name), 1_000 + index, 1_000 + index);
  }
  const first = (await served.client.patchItems([{ itemId: "k", price: "1" }])) + 1;
  for (let run = 0; run <= 3; run += 1) {
    watcher = startProcess(t, ["scripts/operate/watch.ts", folder, ...words], { LOG_LEVEL: "warn" });
    if (run < 3) await watcher.ended;
  }
  await eventually("both files are done", async () => namesIn(join(folder, "done")).length === 2);
  await watcher?.terminate();
  const next = await served.client.patchItems([{ itemId: "k", price: "1" }]);
  t.deepEqual([kills.length, next - first, requests.length], [0, 2, 5], watcher?.output());
  const reports = readdirSync(join(folder, "done"))
    .filter((name) => name.endsWith(".report.csv"))
    .toSorted();
  const rows = reports.flatMap((name) => parse(readFileSync(join(folder, "done", name)), { from: 2 }) as string[][]);
  t.deepEqual(
    rows.map(([line, itemId, status]) => `${line} ${itemId} ${status}`).toSorted(),
    ["2 one.csv", "2 two.csv", "3 k0", "3 k1"].map((row) => `${row} SUCCESS_NEW_ITEM`).toSorted(),
  );
});
