import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { Redis } from "ioredis";
import { REFUSED_CODE } from "../../../runtime/end-where-refused.ts";
import { programs as listed } from "../../../scripts/operate/command-line/programs.ts";
import { freePort, onFreePort } from "../../../scripts/start/ports.ts";
import { startRedis } from "../../../scripts/start/servers.ts";
import { eventually } from "../../harness/eventually.ts";
import { startProcess } from "../../harness/processes/own-process.ts";
import { casesToTry } from "../../harness/searches/effort.ts";
import type { ProcessEnvironment } from "../../harness/threads/host.ts";
import { folder, install, removeInstalled, run } from "./production/installed.ts";
import { walkFromNothing } from "./production/walk.ts";

const { scripts, version } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: Record<string, string>;
  version: string;
};

test.serial.before(install);
test.after.always(removeInstalled);

const programs = readdirSync("scripts/operate")
  .filter((file) => file.endsWith(".ts") && !["all.ts", "worker-builds.ts"].includes(file))
  .map((file) => file.replace(".ts", ""))
  .concat("label-server");

test.serial("npm run PROGRAM prints its usage for --help, and exits with 2 for an unknown option", async (t) => {
  // The next test loads all of them.
  for (const program of casesToTry(t, programs, { size: 3 }, "programs")) {
    const { code, out, err } = await run("npm", ["run", "--silent", program, "--", "--help"]);
    t.is(code, 0, err);
    t.regex(out, new RegExp(`^usage: npm run ${program} -- `));
    const [entry = ""] = scripts[program]?.match(/scripts\/(operate|label-server)\/\S+\.ts/) ?? [];
    const refused = await run(process.execPath, [entry, "--no-such-option"]);
    t.is(refused.code, 2, refused.err);
    t.notRegex(refused.err, /^ +at /m, "a stack trace");
  }
});

/** Runs all commands in one process, since a process for each would load the same packages again. */
const printUsages = `import { shelfwire } from "./scripts/operate/command-line/shelfwire.ts";
for (const name of process.argv.slice(1)) if ((await shelfwire([name, "--help"])) !== 0) process.exitCode = 1;`;

test.serial("shelfwire NAME --help prints the usage of each command", async (t) => {
  const names = Object.keys(listed);
  const { code, out, err } = await run(process.execPath, ["--input-type=module", "--eval", printUsages, ...names]);
  t.is(code, 0, err);
  for (const name of names) t.regex(out, new RegExp(`^usage: shelfwire ${name} `, "m"));
});

test.serial(
  "a symbolic link starts the command line from anywhere, and the command line prints its version",
  async (t) => {
    symlinkSync(join(folder, "scripts/shelfwire.mjs"), join(folder, "shelfwire"));
    const { code, out, err } = await run(join(folder, "shelfwire"), ["--version"]);
    t.deepEqual([code, out, err], [0, `${version}\n`, ""]);
  },
);

test.serial("a price list is read, and the error for an unresponsive API names its address", async (t) => {
  writeFileSync(join(folder, "list.csv"), "itemId,itemName,price\n1,Milk,1.00\n");
  const mapping = { itemId: "itemId", itemName: "itemName", price: "price" };
  writeFileSync(join(folder, "mapping.json"), JSON.stringify(mapping));
  const port = await freePort();
  const args = ["list.csv", "--mapping", "mapping.json", "--origin", `http://127.0.0.1:${port}`, "--token", "a-token"];
  const { code, err } = await run("npm", ["run", "--silent", "import", "--", ...args]);
  t.is(code, 1);
  t.regex(
    err,
    new RegExp(`does not respond: connect ECONNREFUSED 127.0.0.1:${port}. Start web, or correct its address`),
  );
  t.notRegex(err, /Cannot find package|^ +at /m);
});

const secrets = { JWT_SECRET: "hush".repeat(8), LABEL_SERVER_SECRET: "hush".repeat(4) };
const labelServer = { LABEL_SERVER_URL: "http://127.0.0.1:1" };
const database = { MONGODB_DATABASE: "shelfwire" };

/**
 * Starts a process, reads its output until all of these lines appear or the process ends, and ends the process. With
 * `endsByItself`, it waits only for the end: such a process prints its lines just before it exits.
 */
async function readStart(
  t: ExecutionContext,
  entry: string,
  given: ProcessEnvironment,
  lines: readonly RegExp[],
  endsByItself = false,
) {
  const settings = { ...secrets, ...labelServer, ...database, ...given, PORT: String(await freePort()) };
  const started = startProcess(t, entry, settings, folder);
  let code: number | null | undefined;
  void started.ended.then((ended) => {
    code = ended;
  });
  const isSaid = () => !endsByItself && lines.every((line) => line.test(started.output()));
  await eventually("it says it", async () => code !== undefined || isSaid());
  const endedWith = code;
  if (code === undefined) await started.terminate();
  return { code: endedWith, output: started.output() };
}

const atHost = (what: string, setting: string, host: string, reason: string) =>
  new RegExp(`${setting}: ${what} at ${host} cannot be reached: .*(${reason}).*\\. Start it, or correct ${setting}`);

test.serial("unreachable or misnamed databases are reported by their settings within ten seconds", async (t) => {
  const port = await freePort();
  const away = { REDIS_URL: `redis://me:hush@127.0.0.1:${port}`, MONGODB_URL: `mongodb://127.0.0.1:${port}` };
  const host = "no-such-host.invalid";
  const unnamed = { REDIS_URL: `redis://${host}`, MONGODB_URL: `mongodb://me:hush@${host}` };
  const rows = [
    { given: away, host: `127.0.0.1:${port}`, reason: "ECONNREFUSED" },
    { given: unnamed, host, reason: "ENOTFOUND|EAI_AGAIN" },
  ];
  const ended = await Promise.all(
    rows.flatMap(({ given, host, reason }) => {
      const lines = [atHost("MongoDB", "MONGODB_URL", host, reason), atHost("Redis", "REDIS_URL", host, reason)];
      const command = run("npm", ["run", "--silent", "audit"], { ...given, ...database });
      return [
        command.then(({ code, err }) => ({ name: "audit", lines, code, output: err, expected: 1 })),
        ...["api/process.ts", "workers/item/process.ts", "scripts/operate/all.ts"].map(async (name) => ({
          ...{ name, lines, expected: undefined },
          ...(await readStart(t, name, given, lines)),
        })),
      ];
    }),
  );
  for (const { name, lines, code, output, expected } of ended) {
    t.is(code ?? undefined, expected, `${name}: ${output}`);
    for (const line of lines) t.regex(output, line, name);
    t.notRegex(output, /hush|^ +at /m, name);
  }
});

for (const { title, options, password, NODE_ENV, expected, line } of [
  {
    title: "whose policy removes jobs is refused in production",
    options: ["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"],
    NODE_ENV: "production",
    expected: REFUSED_CODE,
    line: /maxmemory-policy allkeys-lru, .*: redis-cli CONFIG SET maxmemory-policy noeviction/,
  },
  {
    title: "whose policy removes jobs causes a warning elsewhere",
    options: ["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"],
    NODE_ENV: "development",
    expected: undefined,
    line: /maxmemory-policy allkeys-lru, .*: redis-cli CONFIG SET maxmemory-policy noeviction/,
  },
  {
    title: "that is full is reported",
    options: ["--maxmemory", "1mb"],
    NODE_ENV: "production",
    expected: undefined,
    line: /is full: it uses [\d.]+ MB of its maxmemory of 1\.0 MB, .*: redis-cli CONFIG SET maxmemory 2mb/,
  },
  {
    title: "that requires another password is reported",
    options: [],
    password: "hush-hush",
    NODE_ENV: "production",
    expected: undefined,
    line: /cannot be reached: NOAUTH.* correct REDIS_URL/,
  },
])
  test.serial(`a Redis ${title}, with advice`, async (t) => {
    const redis = await onFreePort((port) => startRedis(port, undefined, options));
    t.teardown(() => redis.kill());
    if (password !== undefined) {
      const client = new Redis(redis.url);
      await client.config("SET", "requirepass", password);
      client.disconnect();
    }
    const away = `mongodb://127.0.0.1:${await freePort()}`;
    const given = { REDIS_URL: redis.url, MONGODB_URL: away, NODE_ENV };
    const { code, output } = await readStart(t, "workers/item/process.ts", given, [line], expected !== undefined);
    t.is(code ?? undefined, expected, output);
    t.regex(output, new RegExp(`REDIS_URL: Redis at ${new URL(redis.url).host} `));
    t.regex(output, line);
  });

for (const [entry, settings, why] of [
  [
    "scripts/operate/audit.ts",
    { REDIS_URL: "foo", MONGODB_URL: "localhost:1" },
    /REDIS_URL must be the address of a Redis server.*\n.*MONGODB_URL must be/,
  ],
  [
    "scripts/operate/audit.ts",
    { REDIS_URL: "redis://a", MONGODB_URL: "mongodb://127.0.0.1:1/?x" },
    /MONGODB_URL cannot be parsed: URI option "x"/,
  ],
  [
    "workers/item/process.ts",
    { REDIS_URL: "redis://a", MONGODB_URL: "mongodb://127.0.0.1:1/?x" },
    /MONGODB_URL cannot be parsed: URI option "x"/,
  ],
  [
    "scripts/operate/all.ts",
    { ...secrets, ...labelServer, REDIS_URL: "redis://a", MONGODB_URL: "mongodb://127.0.0.1:1/?x" },
    /MONGODB_URL cannot be parsed: URI option "x"/,
  ],
  [
    "api/process.ts",
    { MONGODB_DATABASE: "admin", BARCODE_PATTERN: "[0-9]{13}", RATE_LIMIT: "1000", RATE_BURST: "300" },
    new RegExp(
      [
        "REDIS_URL is missing",
        "MONGODB_URL is missing",
        'MONGODB_DATABASE must be .*, not "admin"',
        "LABEL_SERVER_SECRET is missing",
        'BARCODE_PATTERN must be .*"type".*, not "\\[0-9\\]\\{13\\}"',
        "JWT_SECRET is missing",
        "RATE_BURST must be at least RATE_LIMIT \\(1000\\), not 300",
      ].join("[\\s\\S]*"),
    ),
  ],
  [
    "workers/notifier/process.ts",
    { REDIS_URL: "redis://a", MONGODB_URL: "mongodb://127.0.0.1:1", WEBHOOKS_PRIVATE: "[x:443" },
    /WEBHOOKS_PRIVATE: "\[x:443" does not contain a network/,
  ],
] as const)
  test.serial(`${entry} refuses ${JSON.stringify(settings)} without a stack trace`, async (t) => {
    const { code, err } = await run(process.execPath, [entry], settings);
    t.is(code, 1);
    t.regex(err, why);
    t.notRegex(err, /^ +at /m);
  });

test.serial("a development command refuses to run, and replaces nothing that may be running", async (t) => {
  const before = readdirSync(join(folder, "node_modules")).length;
  const { code, err } = await run("npm", ["run", "--silent", "openapi"]);
  t.is(code, 1);
  t.regex(err, /packages differ from package-lock.json.*processes may be running/);
  t.is(readdirSync(join(folder, "node_modules")).length, before);
});

walkFromNothing();
