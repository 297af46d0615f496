import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "ava";
import { freePort } from "../../../scripts/start/ports.ts";

const folder = mkdtempSync(join(tmpdir(), "shelfwire-production-"));
test.after.always(() => rmSync(folder, { recursive: true, force: true }));

/** What an operator has: the repository's files, and the packages of the product. */
test.serial.before(async () => {
  const listed = execFileSync("git", ["ls-files", "-z", ":!test"], { encoding: "utf8" });
  for (const file of listed.split("\0").filter(Boolean)) cpSync(file, join(folder, file));
  const { code, err } = await run("npm", ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]);
  if (code !== 0) throw new Error(err);
});

interface Ended {
  code: number;
  out: string;
  err: string;
}

/** As an operator calls it: with no setting that a test has in its environment, unless it is given. */
function run(program: string, args: readonly string[], given: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const { PATH, HOME, XDG_CACHE_HOME, npm_config_registry } = process.env;
  const path = `${dirname(process.execPath)}:${PATH}`;
  const env = { PATH: path, HOME, XDG_CACHE_HOME, npm_config_registry, ...given };
  return new Promise((done) => {
    const options = { cwd: folder, env: JSON.parse(JSON.stringify(env)) as NodeJS.ProcessEnv };
    execFile(program, args, options, (error, out, err) => done({ code: Number(error?.code ?? 0), out, err }));
  });
}

const programs = readdirSync("scripts/operate")
  .filter((file) => file.endsWith(".ts") && !["all.ts", "worker-builds.ts"].includes(file))
  .map((file) => file.replace(".ts", ""));

for (const program of programs)
  test.serial(`npm run ${program} -- --help says how it is called, and does nothing`, async (t) => {
    const { code, out, err } = await run("npm", ["run", "--silent", program, "--", "--help"]);
    t.is(code, 0, err);
    t.regex(out, new RegExp(`^usage: npm run ${program} -- `));
  });

for (const program of programs)
  test.serial(`npm run ${program} with an option that it does not have ends with 2`, async (t) => {
    const { code, err } = await run("npm", ["run", "--silent", program, "--", "--no-such-option"]);
    t.is(code, 2, err);
    t.notRegex(err, /^ +at /m, "a stack trace");
  });

test.serial("a price list is read, and an API that does not answer is named by its address", async (t) => {
  writeFileSync(join(folder, "list.csv"), "itemId,itemName,price\n1,Milk,1.00\n");
  const mapping = { itemId: "itemId", itemName: "itemName", price: "price" };
  writeFileSync(join(folder, "mapping.json"), JSON.stringify(mapping));
  const port = await freePort();
  const args = ["list.csv", "--mapping", "mapping.json", "--origin", `http://127.0.0.1:${port}`, "--token", "a-token"];
  const { code, err } = await run("npm", ["run", "--silent", "import", "--", ...args]);
  t.is(code, 1);
  t.regex(err, new RegExp(`ECONNREFUSED 127.0.0.1:${port}`));
  t.notRegex(err, /Cannot find package|^ +at /m);
});

test.serial("databases that are away are named by their settings, with the reason", async (t) => {
  const port = await freePort();
  const away = { REDIS_URL: `redis://me:secret@127.0.0.1:${port}`, MONGODB_URL: `mongodb://127.0.0.1:${port}` };
  const { code, err } = await run("npm", ["run", "--silent", "audit"], { ...away, MONGODB_DATABASE: "shelfwire" });
  t.is(code, 1);
  t.regex(err, new RegExp(`MONGODB_URL: MongoDB at 127.0.0.1:${port} cannot be reached: .*ECONNREFUSED`));
  t.regex(err, new RegExp(`REDIS_URL: Redis at 127.0.0.1:${port} cannot be reached: .*ECONNREFUSED`));
  t.notRegex(err, /secret/);
});

for (const [settings, why] of [
  [
    { REDIS_URL: "foo", MONGODB_URL: "localhost:1" },
    /REDIS_URL must be the address of a Redis.*\n.*MONGODB_URL must be/,
  ],
  [{ REDIS_URL: "redis://a", MONGODB_URL: "mongodb://127.0.0.1:1/?x" }, /^MONGODB_URL cannot be read: URI option "x"/],
] as const)
  test.serial(`${JSON.stringify(settings)} is refused without a stack trace`, async (t) => {
    const { code, err } = await run("npm", ["run", "--silent", "audit"], settings);
    t.is(code, 1);
    t.regex(err, why);
    t.notRegex(err, /^ +at /m);
  });

test.serial("a command for development refuses, and installs nothing over what may be running", async (t) => {
  const before = readdirSync(join(folder, "node_modules")).length;
  const { code, err } = await run("npm", ["run", "--silent", "openapi"]);
  t.is(code, 1);
  t.regex(err, /packages are not installed here as package-lock.json says.*processes may be running/);
  t.is(readdirSync(join(folder, "node_modules")).length, before);
});
