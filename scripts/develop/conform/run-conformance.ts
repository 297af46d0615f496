import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

interface Options {
  /** Of `obtainSchemathesis`. */
  program: string;
  origin: string;
  token: string;
  labelServerSecret: string;
  /** Values of path parameters that name something; generated ones hardly ever would. */
  known: Readonly<Record<string, readonly string[]>>;
  /** Cases an operation in the random phase; what each keyword asks for is tried in any case. */
  examples: number;
  seed: number;
  /** Only this operation, by its id. */
  operation?: string | undefined;
  tell(line: string): void;
}

const hooks = fileURLToPath(new URL("./hooks.py", import.meta.url));
/** A run that is not over by then hangs. */
const OVER_WITHIN_MS = 12 * 3_600_000;

/**
 * Runs schemathesis against a served OpenAPI document: no 5xx, no status, content type or header that the document does
 * not name, no answer that breaks its schema, valid requests taken, invalid ones refused. Whether everything held; what
 * did not is told with request, answer and a curl line.
 */
export async function runConformance(options: Options): Promise<boolean> {
  const { program, origin, token, examples, seed, operation, tell } = options;
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-conform-"));
  const settings = join(folder, "schemathesis.toml");
  await writeFile(settings, settingsOf(options), { mode: 0o600 });
  const args = ["--config-file", settings, "run", `${origin}/api/openapi.json`];
  const sizes = ["--max-examples", String(examples), "--seed", String(seed), "--no-color", "--continue-on-failure"];
  // A tail never ends.
  const only =
    operation === undefined ? ["--exclude-operation-id", "tailTopic"] : ["--include-operation-id", operation];
  try {
    const child = spawn(program, [...args, ...sizes, ...only], {
      cwd: folder,
      env: { ...process.env, SCHEMATHESIS_HOOKS: hooks, PYTHONDONTWRITEBYTECODE: "1", COLUMNS: "120" },
      stdio: ["ignore", "pipe", "inherit"],
      timeout: OVER_WITHIN_MS,
    });
    const ended = new Promise<number>((done, reject) => {
      child.once("error", reject).once("exit", (code) => done(code ?? 1));
    });
    for await (const line of createInterface({ input: child.stdout })) tell(readable(line, token));
    return (await ended) === 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Operations that refuse, with 400, what is well formed and leads nowhere. */
const lookedAt = [
  "putStore",
  "putDesign",
  "putCanvasDesign",
  "putPack",
  "tryPack",
  "trySavedPack",
  "comparePack",
  "previewDesign",
  "createSubscription",
  "changeSubscription",
];

/** The token is of a run that is over when somebody reads this: a shell's variable is what its curl lines need. */
const readable = (line: string, token: string): string =>
  line.replaceAll(`'Authorization: Bearer ${token}'`, '"Authorization: Bearer $TOKEN"').replaceAll(token, "$TOKEN");

/**
 * In half of the cases a path parameter has a value that is known, in the other half whatever its schema allows. Two
 * checks are off, because writes are accepted, then applied (specification, rule 4): that what was deleted is gone at
 * once (an update would even add it again), and that what was added is there at once.
 */
const settingsOf = ({ token, labelServerSecret, known }: Options): string => `
[auth.openapi]
accessToken = { bearer = ${JSON.stringify(token)} }
labelServerSecret = { bearer = ${JSON.stringify(labelServerSecret)} }

[dictionaries]
${lines(known, (name, values) => `${name} = { values = ${JSON.stringify(values)} }`)}

[parameters]
${lines(known, (name) => `"path.${name}" = { dictionary = "${name}", probability = 0.5 }`)}

[checks]
use_after_free = { enabled = false }
ensure_resource_availability = { enabled = false }

# A tag that somebody made up is not that of what is stored.
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "412", "429", "5xx"]

# What names others, a zone or a host is looked at beyond its schema.
[[operations]]
include-operation-id = ${JSON.stringify(lookedAt)}
checks.positive_data_acceptance.enabled = false

# What stands in a form beside its file is ignored, and the file is one that hooks.py puts there.
[[operations]]
include-operation-id = "setPageImage"
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
