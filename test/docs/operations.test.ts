import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import test from "ava";
import { apiUsers } from "../../records/kinds/api-user.ts";
import { apiUserKey } from "../../schemas/keys.ts";
import { commands } from "../../scripts/operate/admin/commands.ts";
import { parseCall } from "../../scripts/operate/admin/parse-call.ts";
import { eventually } from "../harness/eventually.ts";
import { ownStack } from "../harness/own.ts";
import { JWT_SECRET } from "../harness/served.ts";

const shelfwire = ownStack();
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const operations = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");

/** The commands of a section, as one script. */
function scriptOf(heading: string): string {
  const [, section = ""] = operations.split(`\n## ${heading}\n`);
  const [before = ""] = section.split("\n## ");
  return [...before.matchAll(/^( *)```sh\n(.*?)^\1```/gms)].map(([, , script = ""]) => script).join("\n");
}

/** Runs a script as an operator does who has set what the page says. */
async function run(script: string): Promise<{ code: number; out: string; err: string }> {
  const { redis, mongoUrl, database } = shelfwire.stores;
  const child = spawn("sh", ["-eu"], {
    cwd: ROOT,
    env: {
      // A machine's own node may be older than the one that the product asks for.
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: process.env.HOME,
      NODE_ENV: "production",
      REDIS_URL: redis.url,
      MONGODB_URL: mongoUrl,
      MONGODB_DATABASE: database,
      JWT_SECRET,
      ORIGIN: shelfwire.origin,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(script);
  const ended = new Promise<number>((done) => child.once("exit", (code) => done(code ?? -1)));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}

test("the page on installing makes tenants, stores, a user, prices and a label of two positions", async (t) => {
  const { code, out, err } = await run(scriptOf("Installing"));
  t.is(code, 0, err);
  t.regex(out, /store first of corner would be made/);
  t.regex(out, /store first of corner is made/);
  const user = (await shelfwire.system.records.read(apiUsers, [apiUserKey("till-7")])).get(apiUserKey("till-7"));
  t.like(user, { tenant: "coop", stores: ["harbour"] });
  const [, barcode = ""] = /"barcode": "(\w+)"/.exec(scriptOf("Installing")) ?? [];
  const headers = { authorization: `Bearer ${await shelfwire.token({ tenant: "coop" })}` };
  await eventually("the label shows two items", async () => {
    const answer = await fetch(`${shelfwire.origin}/t/coop/s/harbour/api/public/core/v1/labels/${barcode}`, {
      headers,
    });
    const { links = [] } = (await answer.json()) as { links?: { itemId: string }[] };
    return links.map(({ itemId }) => itemId).join() === "4001,4002";
  });
});

test("every command of operators that the page names is called as it is meant to be", (t) => {
  const calls = [...operations.matchAll(/^ *npm run admin -- (.+)$/gm)].map(([, call = ""]) =>
    [...call.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word),
  );
  t.true(calls.length >= 10);
  for (const call of calls) t.notThrows(() => parseCall(commands, call), call.join(" "));
});
