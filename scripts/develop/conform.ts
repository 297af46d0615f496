import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettings } from "../../runtime/read-settings.ts";
import { withDemoStack } from "../demo/with-stack.ts";
import { fail } from "../prepare/programs.mjs";
import { obtainSecrets } from "../start/secrets.ts";
import { readCommandLine } from "./command-line.ts";
import { runBrief } from "./conform/brief/run-brief.ts";
import { runClients } from "./conform/clients/run-clients.ts";
import { obtainSchemathesis } from "./conform/obtain-python.ts";
import { runConformance } from "./conform/run-conformance.ts";
import { seedExamples } from "./conform/seed-examples.ts";

/**
 * Tests the server against its served OpenAPI document: `npm run conform -- [--examples 100] [--seed 1] [--operation
 * patchItems]...`. `--brief` makes only the calls that are part of the tests, the same ones each time and without Python.
 * `--clients [--generator oapi-codegen]...` generates clients, compiles them and makes their calls. Exits with 1 if anything
 * differs, or with 3 if nothing differs but a generator cannot run on this machine.
 */
const SKIPPED = 3;
const { MONGODB_URL } = readSettings([], ["MONGODB_URL"]);
const { options: values } = readCommandLine("npm run conform --", {
  arguments: [],
  means: "test the server against its OpenAPI document; exit code 3: a client generator could not run on this machine",
  options: {
    examples: { takes: "NUMBER", initial: "100", means: "number of calls per operation" },
    seed: { takes: "NUMBER", initial: "1", means: "seed for the calls" },
    operation: { takes: "ID", isRepeated: true, means: "test only this operation; may be repeated" },
    brief: { means: "run only the calls that are part of the tests, without Python" },
    clients: { means: "generate clients, compile them and run their calls" },
    generator: { takes: "NAME", isRepeated: true, means: "use only this generator; may be repeated" },
  },
});
const random = { examples: countOf("examples", values.examples), seed: countOf("seed", values.seed) };
const log = (text: string) => process.stdout.write(`${text}\n`);
const program = values.brief || values.clients ? "" : obtain();
const dataFolder = await mkdtemp(join(tmpdir(), "shelfwire-conform-"));
try {
  const options = {
    dataFolder,
    database: `conform-${randomUUID()}`,
    isKept: false,
    workerProcesses: 1,
    mongoUrl: MONGODB_URL,
    environment: { LOG_LEVEL: "error", RATE_LIMIT: "0", TENANT_RATE_LIMIT: "0", ADDRESS_RATE_LIMIT: "0" },
    log,
  };
  process.exitCode = await withDemoStack(options, async ({ stack, client, token, platformToken }) => {
    const { origin } = stack;
    const known = await seedExamples(origin, client);
    if (values.clients) {
      const { failed, skipped } = await runClients({
        origin,
        token,
        known,
        only: values.generator,
        log,
      });
      return failed.length > 0 ? 1 : skipped.length > 0 ? SKIPPED : 0;
    }
    const labelServerSecret = obtainSecrets(dataFolder).labelServer;
    const tokens = { token, platformToken, labelServerSecret };
    if (values.brief) return (await runBrief({ origin, ...tokens, known, log })).holds ? 0 : 1;
    const holds = await runConformance({
      program,
      known,
      origin,
      ...tokens,
      ...random,
      operations: values.operation,
      log,
    });
    return holds ? 0 : 1;
  });
} finally {
  await rm(dataFolder, { recursive: true, force: true });
}

function obtain(): string {
  try {
    return obtainSchemathesis();
  } catch (error) {
    return fail((error as Error).message);
  }
}

function countOf(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  return fail(`--${name} must be a whole number from 1, not "${text}".`);
}
