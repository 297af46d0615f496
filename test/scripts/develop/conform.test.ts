import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import type { Call } from "../../../scripts/develop/conform/brief/calls.ts";
import { runBrief } from "../../../scripts/develop/conform/brief/run-brief.ts";
import { obtainSchemathesis } from "../../../scripts/develop/conform/obtain-python.ts";
import { runConformance } from "../../../scripts/develop/conform/run-conformance.ts";
import { seedExamples } from "../../../scripts/develop/conform/seed-examples.ts";
import { isThorough, sampleOf, sayTried } from "../../harness/searches/effort.ts";
import { platformToken } from "../../harness/served.ts";
import { openShelfwire } from "../../harness/shelfwire.ts";

/** For each operation: its example's call, every call that expects one exact status (such as 401), and some others. */
const SAMPLE = { size: 4, always: ({ expected }: Call) => typeof expected === "number" };

test("the server matches its document", async (t) => {
  const labelServerSecret = "a secret of this test's label server";
  const shelfwire = await openShelfwire({ settings: { LABEL_SERVER_SECRET: labelServerSecret } });
  t.teardown(() => shelfwire.close());
  const { origin, client } = shelfwire;
  const known = await seedExamples(origin, client);
  const tokens = { token: await shelfwire.token(), platformToken: await platformToken(), labelServerSecret };
  const logged: string[] = [];
  let all = 0;
  const choose = (calls: readonly Call[]) => {
    all += calls.length;
    return isThorough ? calls : sampleOf(calls, SAMPLE);
  };
  const log = (line: string) => void logged.push(line);
  const { holds, calls } = await runBrief({ origin, ...tokens, known, log, choose });
  t.true(holds, logged.join("\n"));
  sayTried(t, calls, all, "calls");
  t.true(all > 800, `${all} calls`);
});

/** Opens a server with one operation that does not behave as documented. */
async function openLiar() {
  const answer = { description: "Done", content: { "application/json": { schema: { type: "string" } } } };
  const operation = { operationId: "getNumber", security: [], responses: { 200: answer } };
  const server = createServer((request, response) => {
    const port = (server.address() as AddressInfo).port;
    const document = {
      openapi: "3.1.0",
      info: { title: "A liar", version: "1" },
      servers: [{ url: `http://127.0.0.1:${port}` }],
      paths: { "/number": { get: operation } },
    };
    const isDocument = request.url === "/api/openapi.json";
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(isDocument ? document : 17));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test("a failure is logged with the request, the response and the mismatch, and without the token", async (t) => {
  const program = obtainSchemathesis();
  const { origin, server } = await openLiar();
  t.teardown(() => server.close());
  const logged: string[] = [];
  const log = (line: string) => void logged.push(line);
  const token = "a-token-of-a-run";
  const tokens = { token, platformToken: "none", labelServerSecret: "" };
  t.false(
    await runConformance({
      examples: 1,
      seed: 1,
      operations: [],
      program,
      origin,
      ...tokens,
      known: {},
      log,
    }),
  );
  const text = logged.join("\n");
  t.regex(text, /GET \/number/);
  t.regex(text, /17 is not of type "string"/);
  t.regex(text, new RegExp(`curl .*${origin}/number`));
  t.notRegex(text, /a-token-of-a-run/);
});

test("a short run finds a false response without Python and names the call", async (t) => {
  const { origin, server } = await openLiar();
  t.teardown(() => server.close());
  const logged: string[] = [];
  const log = (line: string) => void logged.push(line);
  const tokens = { token: "a-token-of-a-run", platformToken: "none", labelServerSecret: "" };
  const { holds } = await runBrief({ origin, ...tokens, known: {}, log });
  t.false(holds);
  const text = logged.join("\n");
  t.regex(text, /getNumber as its example says: its body at "" must be string/);
  t.regex(text, /getNumber with another method: it is 200, and not 405/);
});

/** Returns the command's standard error if it ends with code 1. */
const refusal = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  new Promise<string>((resolve, reject) => {
    const env = { ...process.env, ...environment };
    execFile(process.execPath, ["scripts/develop/conform.ts", ...args], { env }, (error, _, stderr) => {
      if (error?.code === 1) resolve(stderr);
      else reject(error ?? new Error("it ran"));
    });
  });

test("without Python the command reports what is missing", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-nothing-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const logged = await refusal([], { PATH: folder, DATA_DIR: folder });
  t.regex(logged, /requires Python 3\.11 or later .*requirements\.txt from PyPI/);
  t.notRegex(logged, / at /);
});

test("an argument that is not a number is refused, and the error names it", async (t) => {
  t.is(await refusal(["--examples", "many"]), '--examples must be a whole number from 1, not "many".\n');
});
