import { readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import test from "ava";
import { parse } from "yaml";
import { processNames } from "../../../queues/topology.ts";
import { settings } from "../../../schemas/settings.ts";
import { allocator } from "../../../scripts/start/supervise.ts";

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
const { shelfwire, version } = JSON.parse(read("package.json"));
const lines = read("Dockerfile")
  .replaceAll(/^ *#.*\n/gm, "")
  .replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => line !== "");
const withInstruction = (name: string): string[] =>
  lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim());

interface Service {
  image: string;
  env_file?: { path: string; required: boolean }[];
  command?: string[];
  environment?: Record<string, string | number>;
  ports?: string[];
  healthcheck?: { disable?: boolean; test?: string[] };
}
const compose: { services: Record<string, Service> } = parse(read("compose.yaml"), { merge: true });
const ofPrograms = Object.entries(compose.services).filter(([name]) => name !== "mongo" && name !== "redis");
/** Returns the command as in the Procfile, which names no Node version, since the image has the right one. */
const commandOf = (name: string): string | undefined =>
  new RegExp(`^${name}: (.*)$`, "m")
    .exec(read("Procfile"))?.[1]
    ?.replace(/\$\{WEB_PROGRAM:-(.*)\}/, "$1")
    .replace("--require ./scripts/check-node.cjs ", "");

/** Returns the files that a program loads by static and dynamic imports. */
function filesOf(entry: string, known: Set<string> = new Set()): ReadonlySet<string> {
  if (known.has(entry)) return known;
  known.add(entry);
  for (const [, path = ""] of read(entry).matchAll(/(?:from|import|import\()\s*"(\.[^"]+\.(?:ts|mjs))"/g))
    filesOf(posix.join(dirname(entry), path), known);
  return known;
}

test("every stage starts from the product's Node version, down to the patch, on the current Debian", (t) => {
  const bases = withInstruction("FROM").map((from) => from.split(" ")[0]);
  t.deepEqual(new Set(bases), new Set(["${NODE_IMAGE}"]));
  // A digest may follow the tag (.github/renovate.json).
  const [base = ""] = withInstruction("ARG");
  t.is(base.split("@")[0], `NODE_IMAGE=node:${shelfwire.node}-trixie-slim`);
});

test("the image names its version and licence in OCI labels, and has the command line on its path", (t) => {
  const [labels = ""] = withInstruction("LABEL");
  t.true(labels.includes(`org.opencontainers.image.version="${version}"`));
  t.true(labels.includes('org.opencontainers.image.licenses="MIT"'));
  t.regex(withInstruction("RUN").join(" "), /ln -s \.\.\/\.\.\/scripts\/shelfwire\.mjs node_modules\/\.bin\/shelfwire/);
  t.true(withInstruction("ENV").some((line) => line.includes("PATH=/app/node_modules/.bin:$PATH")));
});

test("the image runs without root, reports its health, and starts its program directly", (t) => {
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
  t.true(last.includes("USER node"));
  t.true(last.some((line) => /^HEALTHCHECK .*CMD \["node"/.test(line)));
  // As a list, since a shell in between would not pass SIGTERM on.
  t.true(last.some((line) => line.startsWith('CMD ["node"')));
});

test("only locked packages are installed, and the image contains no secret", (t) => {
  t.true(withInstruction("RUN").every((command) => command.startsWith("npm ci --omit=dev")));
  t.false(lines.some((line) => /^(ADD|ARG (?!NODE_IMAGE=)) /.test(line) || /SECRET|TOKEN|PASSWORD/.test(line)));
});

test("the image contains every file that its programs load", (t) => {
  const copied = withInstruction("COPY").flatMap((line) => line.split(" ").slice(0, -1));
  const rules = read(".dockerignore")
    .split("\n")
    .filter((line) => /^!?\w/.test(line));
  const matches = (rule: string, file: string) => {
    const path = rule.replace(/^!/, "").replace(/\/\*$/, "");
    return file === path || file.startsWith(`${path}/`);
  };
  // The last rule that matches a file decides.
  const isIgnored = (file: string) => !rules.findLast((rule) => matches(rule, file))?.startsWith("!");
  const entries = [...processNames.map((name) => `workers/${name}/process.ts`), "api/process.ts"];
  const emulators = ["label-server", "mqtt-gateway", "access-point"].map((name) => `scripts/${name}/process.ts`);
  const commands = ["scripts/shelfwire.mjs", "scripts/operate/all.ts", ...emulators];
  for (const entry of [...entries, ...commands])
    for (const file of filesOf(entry)) {
      t.true(
        copied.some((path) => file === path || file.startsWith(`${path}/`)),
        `${file} is not copied`,
      );
      t.false(isIgnored(file), `${file} is excluded from the build`);
    }
  for (const path of copied.filter((path) => !/^(--from|\/app)/.test(path)))
    t.false(isIgnored(path), `${path} is excluded from the build`);
});

test("compose runs the same processes as the Procfile, in this version", (t) => {
  t.deepEqual(ofPrograms.map(([name]) => name).toSorted(), ["release", "web", ...processNames].toSorted());
  for (const [name, { command, image }] of ofPrograms) {
    t.is(command?.join(" "), commandOf(name), name);
    t.is(image, `\${SHELFWIRE_IMAGE:-shelfwire:${version}}`);
  }
});

test("wherever processes start, the C library returns freed memory", (t) => {
  const ofApp = JSON.parse(read("app.json")).env;
  const ofImage = withInstruction("ENV").flatMap((line) => line.split(" "));
  for (const [name, value] of Object.entries(allocator)) {
    t.is(ofApp[name]?.value, value, name);
    t.true(ofImage.includes(`${name}=${value}`), name);
    t.true(read("docs/operations/scale.md").includes(`\`${name}=${value}\``), name);
  }
});

test("every compose service with a health check uses it, and only the API's port is open", (t) => {
  const { mongo, redis, web } = compose.services;
  for (const store of [mongo, redis]) {
    t.truthy(store?.healthcheck?.test);
    t.regex(store?.image ?? "", /^\$\{\w+_IMAGE:-\w+:\d+\.\d+\}$/);
  }
  t.false(web?.healthcheck?.disable);
  const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
  t.deepEqual(
    open.map(([name]) => name),
    ["web"],
  );
  t.true(redis?.command?.join(" ").includes("--maxmemory-policy noeviction"));
});

test("compose's MongoDB is a replica set that every process knows, since a consistent dump needs an oplog", (t) => {
  const { mongo } = compose.services;
  const { 1: flag, 2: name = "" } = mongo?.command ?? [];
  t.is(flag, "--replSet");
  t.regex(mongo?.healthcheck?.test?.join(" ") ?? "", new RegExp(`rs\\.initiate\\(\\{ _id: '${name}'`));
  for (const [, { environment }] of ofPrograms)
    t.is(environment?.MONGODB_URL, `mongodb://mongo:27017/?replicaSet=${name}`);
});

test(".env may contain any setting, and none of them changes the port, the databases or production mode", (t) => {
  for (const [, { env_file: files, environment }] of ofPrograms) {
    t.deepEqual(files, [{ path: ".env", required: false }]);
    t.like(environment, { NODE_ENV: "production", PORT: 8080, REDIS_URL: "redis://redis:6379" });
  }
});

test("the example with a proxy serves the same web process only over https, and passes events on immediately", (t) => {
  const reset = { tag: "!reset", collection: "seq" as const, identify: () => false };
  const tls: { services: Record<string, Service & { volumes?: string[] }> } = parse(read("deploy/compose/tls.yaml"), {
    customTags: [reset],
  });
  t.deepEqual(Object.keys(tls.services), ["proxy", "web"]);
  t.deepEqual(tls.services.web?.ports, []);
  t.deepEqual(tls.services.web?.environment, { TRUSTED_PROXIES: 1 });
  t.true(tls.services.proxy?.volumes?.some((volume) => volume.startsWith("./deploy/compose/Caddyfile:")));
  const caddy = read("deploy/compose/Caddyfile");
  t.regex(caddy, /^\{\$SHELFWIRE_HOST\}$/m);
  t.regex(caddy, /reverse_proxy web:8080[\s\S]*flush_interval -1/);
});

test("compose files and app.json name only settings that exist", (t) => {
  const { env } = JSON.parse(read("app.json"));
  const named = ofPrograms.flatMap(([, { environment = {} }]) => Object.keys(environment));
  for (const name of [...named, ...Object.keys(env)]) t.true(name in settings || name in allocator, name);
});

test("compose requires its secrets and contains none", (t) => {
  for (const [, { environment = {} }] of ofPrograms)
    for (const [name, value] of Object.entries(environment))
      if (name.endsWith("SECRET")) t.regex(String(value), /^\$\{\w+:\?/, name);
});
