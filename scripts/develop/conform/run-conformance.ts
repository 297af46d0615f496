import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { checkedBeyondSchema } from "./checked-beyond-schema.ts";
import { ENDLESS } from "./endless.ts";

interface Options {
  /** The Python that `obtainSchemathesis` returns. */
  program: string;
  origin: string;
  token: string;
  /** The operator's token, for resources above tenants. */
  platformToken: string;
  labelServerSecret: string;
  /** Values of path parameters for which something exists, as is hardly ever the case for generated values. */
  known: Readonly<Record<string, readonly string[]>>;
  /**
   * Number of random calls and of chains of calls for each operation, in addition to the calls for each keyword of its schemas.
   */
  examples: number;
  seed: number;
  /** Ids of the operations to test. If empty, all are tested. */
  operations: readonly string[];
  log(line: string): void;
}

const hooks = fileURLToPath(new URL("./hooks.py", import.meta.url));
/** A run that takes longer is assumed to hang. */
const RUN_TIMEOUT_MS = 12 * 3_600_000;

/**
 * Runs schemathesis against a server and its OpenAPI document. There must be no 5xx, no status, content type or header that
 * the document does not name, and no response that breaks its schema. Valid requests must be accepted and invalid ones
 * rejected. Returns whether everything held. Each failure is logged with request, response and a curl line.
 */
export async function runConformance(options: Options): Promise<boolean> {
  const { program, origin, token, platformToken, examples, seed, operations, log } = options;
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-conform-"));
  const settings = join(folder, "schemathesis.toml");
  await writeFile(settings, settingsOf(options), { mode: 0o600 });
  const args = ["--config-file", settings, "run", `${origin}/api/openapi.json`, "--no-color", "--continue-on-failure"];
  const cases = ["--max-examples", String(examples), "--seed", String(seed)];
  const only =
    operations.length === 0
      ? ENDLESS.flatMap((operation) => ["--exclude-operation-id", operation])
      : operations.flatMap((operation) => ["--include-operation-id", operation]);
  try {
    const child = spawn(program, ["-m", "schemathesis.cli", ...args, ...cases, ...only], {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "inherit"],
      timeout: RUN_TIMEOUT_MS,
    });
    const ended = new Promise<number>((done, reject) => {
      child.once("error", reject).once("exit", (code) => done(code ?? 1));
    });
    for await (const line of createInterface({ input: child.stdout })) log(readable(line, [token, platformToken]));
    return (await ended) === 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const environment = { SCHEMATHESIS_HOOKS: hooks, PYTHONDONTWRITEBYTECODE: "1", COLUMNS: "120" };

/** Replaces tokens with a shell variable in logged lines. They are invalid once the run is over, and must not be logged. */
const readable = (line: string, tokens: readonly string[]): string =>
  tokens.reduce(
    (text, token) =>
      text.replaceAll(`'Authorization: Bearer ${token}'`, '"Authorization: Bearer $TOKEN"').replaceAll(token, "$TOKEN"),
    line,
  );

/**
 * Returns the settings of a run. In half of the cases, a path parameter has a known value, in the other half any value that its
 * schema allows. Two checks are off: that a deleted resource is gone immediately, and that an added one exists immediately.
 * Writes are accepted first and applied later (docs/integrators/calls.md#writes-are-accepted-then-applied).
 */
const settingsOf = ({ token, platformToken, labelServerSecret, known }: Options): string => `
# Other forms than the described ones are taken of callers who do not forbid it: here they are refused.
headers = { Prefer = "handling=strict" }

[auth.openapi]
accessToken = { bearer = ${JSON.stringify(token)} }
platformToken = { bearer = ${JSON.stringify(platformToken)} }
labelServerSecret = { bearer = ${JSON.stringify(labelServerSecret)} }

[dictionaries]
${lines(known, (name, values) => `${name} = { values = ${JSON.stringify(values)} }`)}

[parameters]
${lines(known, (name) => `"path.${name}" = { dictionary = "${name}", probability = 0.5 }`)}

[checks]
use_after_free = { enabled = false }
ensure_resource_availability = { enabled = false }

# A generated entity tag is not the stored one.
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "412", "429", "5xx"]

# Names of other records, zones, hosts and pages are checked beyond their schema.
[[operations]]
include-operation-id = ${JSON.stringify(checkedBeyondSchema)}
checks.positive_data_acceptance.enabled = false

# Further fields of a form with a file are ignored, and hooks.py replaces the file.
[[operations]]
include-operation-id = ["setPageImage", "putImage", "putFont"]
checks.negative_data_rejection.enabled = false

[generation]
database = "none"

[output.sanitization]
enabled = false
`;

const lines = (known: Options["known"], line: (name: string, values: readonly string[]) => string): string =>
  Object.entries(known)
    .map(([name, values]) => line(name, values))
    .join("\n");
