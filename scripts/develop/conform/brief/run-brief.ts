import { readFile } from "node:fs/promises";
import { repeatUnavailable } from "../../../repeat-unavailable.ts";
import { ENDLESS } from "../endless.ts";
import { type Call, callsOf, type Known } from "./calls.ts";
import { type Described, type Operation, operationsOf } from "./described.ts";
import { type Answer, faultsOf } from "./judge.ts";
import { createSchemaCheck } from "./schema-check.ts";

interface Options {
  origin: string;
  token: string;
  /** The operator's token, for resources above tenants. */
  platformToken: string;
  labelServerSecret: string;
  /** Values of path parameters for which something exists. */
  known: Readonly<Record<string, readonly string[]>>;
  log(line: string): void;
  /** Chooses which calls of an operation to make. If absent, all are made. */
  choose?: (calls: readonly Call[]) => readonly Call[];
}

/** A picture of one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const FONT_FIELD = "fontFile";
const font = async () =>
  Buffer.from(
    await readFile(new URL("../../../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf", import.meta.url)),
  );
/**
 * Calls that create come first, then calls that read, and calls that delete come last, so that most calls find an existing
 * resource.
 */
const ORDER = ["PUT", "POST", "PATCH", "GET", "DELETE"];
/** How long link-single may wait. With the longest wait that a caller may choose, each call would take a minute. */
const SHORT_WAIT = { timeout: "100" };
/** How often a call is made that gets 503. */
const MAX_ATTEMPTS = 10;
/** The operator's records that writes leave unchanged, because all other calls depend on them. */
const KEPT: Readonly<Record<string, string>> = {
  tenantId: "other",
  storeId: "branch",
  modelName: "Other",
  labelType: "9001",
};

/**
 * Makes calls of every operation of a server's document: as its examples say, with changed values, and with violations of the
 * protocol, the same way each time. Returns whether every response matches the document. Each fault is logged with its call.
 * A call that gets 503 is repeated: a busy server has no time for some calls.
 */
export async function runBrief(options: Options): Promise<{ holds: boolean; calls: number }> {
  const { origin, known, log, choose = (all) => all } = options;
  const credentials = credentialsOf(options);
  const document = (await (await fetch(`${origin}/api/openapi.json`)).json()) as Described;
  const check = createSchemaCheck(document);
  const operations = operationsOf(document)
    .filter(({ operationId }) => !ENDLESS.includes(operationId))
    .toSorted((one, other) => ORDER.indexOf(one.method) - ORDER.indexOf(other.method));
  const first = Object.fromEntries(Object.entries(known).map(([name, [value = ""]]) => [name, value]));
  let calls = 0;
  let faulty = 0;
  for (const operation of operations) {
    const all = [...callsOf(operation, knownOf(operation, { ...SHORT_WAIT, ...first }), check)];
    for (const call of choose(all)) {
      const answer = await repeatUnavailable(() => send(origin, call, credentials), MAX_ATTEMPTS);
      const faults = faultsOf(call, answer, check);
      calls += 1;
      if (faults.length === 0) continue;
      faulty += 1;
      log(`${operation.operationId} ${call.change}: ${faults.join("; ")}\n  ${answer.text.slice(0, 500)}`);
    }
  }
  log(`${calls} calls of ${operations.length} operations, ${faulty} not as the document says`);
  return { holds: faulty === 0 && calls > 0, calls };
}

/** Values of the Authorization header, by security scheme. */
type Credentials = Readonly<Record<string, string>>;

const credentialsOf = ({ token, platformToken, labelServerSecret }: Options): Credentials => ({
  accessToken: `Bearer ${token}`,
  platformToken: `Bearer ${platformToken}`,
  labelServerSecret: `Bearer ${labelServerSecret}`,
  // The user of the document's examples. putUser creates it before it logs in.
  apiUser: `Basic ${btoa("till-7:a password of 12 characters")}`,
});

const knownOf = ({ security, method }: Operation, known: Known): Known =>
  security.includes("platformToken") && (method === "PUT" || method === "DELETE") ? { ...known, ...KEPT } : known;

async function send(
  origin: string,
  { operation, method, parameters, ...call }: Call,
  credentials: Credentials,
): Promise<Answer> {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ""));
  const inQuery = operation.parameters.filter((one) => one.in === "query" && parameters[one.name] !== undefined);
  const query = new URLSearchParams(inQuery.map(({ name }): [string, string] => [name, parameters[name] ?? ""]));
  const scheme = operation.security.find((name) => credentials[name] !== undefined);
  const token = call.isWithToken && scheme !== undefined && credentials[scheme];
  const hasBody = call.body !== undefined && method !== "PROPFIND";
  const answer = await fetch(`${origin}${path}?${query}`, {
    method,
    headers: {
      // Forms other than the described ones are accepted unless the caller forbids it. Here they are forbidden.
      prefer: "handling=strict",
      ...(token && { authorization: token }),
      ...(hasBody && operation.body?.mediaType === "application/json" && { "content-type": "application/json" }),
      ...call.headers,
    },
    ...(hasBody && { body: await bodyOf(call.body, operation) }),
    redirect: "manual",
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

async function bodyOf(body: unknown, { body: described }: Operation): Promise<string | FormData> {
  if (described?.mediaType !== "multipart/form-data") return typeof body === "string" ? body : JSON.stringify(body);
  const form = new FormData();
  for (const name of Object.keys((described.schema.properties ?? {}) as object))
    form.set(name, new Blob([name === FONT_FIELD ? await font() : PNG]));
  return form;
}
