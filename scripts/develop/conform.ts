import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readSettings } from "../../queues/read-settings.ts";
import { withDemoStack } from "../demo/with-stack.ts";
import { fail } from "../prepare/programs.mjs";
import { obtainSecrets } from "../start/secrets.ts";
import { obtainSchemathesis } from "./conform/obtain-python.ts";
import { runConformance } from "./conform/run-conformance.ts";
import { seedExamples } from "./conform/seed-examples.ts";

/**
 * Tests the server against its served OpenAPI document: `npm run conform -- [--examples 100] [--seed 1] [--operation
 * patchItems]... [--brief]`. Brief is what is among the tests. Exit code 1 if anything differs.
 */
const { MONGODB_URL } = readSettings([], ["MONGODB_URL"]);
const { values } = parseArgs({
  options: {
    examples: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    operation: { type: "string", multiple: true, default: [] },
    brief: { type: "boolean", default: false },
  },
});
const random = { examples: countOf("examples", values.examples), seed: countOf("seed", values.seed) };
const log = (text: string) => process.stdout.write(`${text}\n`);
const program = obtain();
const dataFolder = await mkdtemp(join(tmpdir(), "shelfwire-conform-"));
try {
  const options = {
    dataFolder,
    database: `conform-${process.pid}`,
    isKept: false,
    workerProcesses: 1,
    mongoUrl: MONGODB_URL,
    environment: { LOG_LEVEL: "error", RATE_LIMIT: "0", TENANT_RATE_LIMIT: "0", ADDRESS_RATE_LIMIT: "0" },
    log,
  };
  const holds = await withDemoStack(options, async ({ stack, client, token, platformToken }) => {
    return runConformance({
      program,
      known: await seedExamples(stack.origin, client),
      origin: stack.origin,
      token,
      platformToken,
      labelServerSecret: obtainSecrets(dataFolder).labelServer,
      size: values.brief ? "brief" : random,
      operations: values.operation,
      log,
    });
  });
  process.exitCode = holds ? 0 : 1;
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
  return fail(`--${name} is a whole number from 1, not "${text}".`);
}
