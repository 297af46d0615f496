import { readFile } from "node:fs/promises";
import test from "ava";
import fc from "fast-check";
import { differingSettings, exampleEnvironment, readEnvironment, SettingsError } from "../../schemas/environment.ts";

const messageOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return "";
};

test("a given setting is used, and a number is read as a number", (t) => {
  t.deepEqual(readEnvironment(["PORT", "MONGODB_DATABASE"], [], { PORT: "81", MONGODB_DATABASE: "7" }), {
    PORT: 81,
    MONGODB_DATABASE: "7",
  });
});

test("an absent or empty setting uses its default", (t) => {
  for (const PORT of [undefined, ""]) t.deepEqual(readEnvironment(["PORT"], [], { PORT }), { PORT: 8080 });
});

test("only the named settings are read, whether or not others are valid", (t) => {
  t.deepEqual(readEnvironment(["PORT"], [], { PORT: "80", LOG_LEVEL: "loud", HOME: "x" }), { PORT: 80 });
});

test("an optional setting may be absent", (t) => {
  t.deepEqual(readEnvironment(["BASE_DOMAIN", "JWKS_URL"], [], { JWKS_URL: "" }), {
    BASE_DOMAIN: undefined,
    JWKS_URL: undefined,
  });
});

test("a missing setting is named with its meaning", (t) => {
  for (const REDIS_URL of [undefined, ""]) {
    const message = messageOf(() => readEnvironment(["REDIS_URL"], [], { REDIS_URL }));
    t.regex(message, /REDIS_URL is missing\. .*Redis/);
  }
});

test("a setting that is optional for a process may be missing, but not invalid", (t) => {
  t.deepEqual(readEnvironment([], ["LABEL_SERVER_URL"], {}), { LABEL_SERVER_URL: undefined });
  t.regex(
    messageOf(() => readEnvironment([], ["LABEL_SERVER_URL"], { LABEL_SERVER_URL: "shelf" })),
    /LABEL_SERVER_URL .*"shelf"/,
  );
});

const wrong: [Parameters<typeof readEnvironment>[0][number], string[]][] = [
  ["PORT", ["http", "0", "65536", "-1", "80.5", "1e3", " 80", "0x50", "70000"]],
  ["WORKER_PROCESSES", ["0", "1001", "two"]],
  ["RESULT_TTL", ["0", "-5", "1h", "86400 "]],
  ["JWKS_URL", ["example.com/keys", "file:///etc/keys", "javascript:alert()"]],
  ["LABEL_SERVER_URL", ["localhost:8081", "http://", "https:///x"]],
  ["LOG_LEVEL", ["loud", "INFO"]],
  ["REDIS_SENTINELS", ["redis://a:26379", "a:26379;b:26379", "a:66000", "a:b", "a:1,,b:2", "a:1,", "me:x@a:1"]],
  ["REDIS_SENTINEL_MASTER", ["my master", "shop/1"]],
  ["BARCODE_PATTERN", ["^[0-9]{13}$", "(?<type>[0-9]{4}", "(?<type>[9-0])"]],
  ["MONGODB_DATABASE", ["admin", "local", "config", "\u20ac".repeat(22), "a b", "a.b", "a/b", "$a", "x".repeat(64)]],
];
for (const [name, values] of wrong) {
  test(`the error for an invalid ${name} names the setting and its kind`, (t) => {
    for (const value of values) {
      const message = messageOf(() => readEnvironment([name], [], { [name]: value }));
      t.true(message.includes(`${name} `), `${value}: ${message}`);
      t.true(message.includes(value), `${value}: ${message}`);
    }
  });
}

test("one error lists all faults and no valid setting", (t) => {
  const source = { PORT: "http", LOG_LEVEL: "loud", MONGODB_DATABASE: "fine", LABEL_SERVER_SECRET: "short" };
  const names = ["PORT", "LOG_LEVEL", "MONGODB_DATABASE", "LABEL_SERVER_SECRET", "MONGODB_URL"] as const;
  const message = messageOf(() => readEnvironment(names, [], source));
  for (const name of ["PORT", "LOG_LEVEL", "LABEL_SERVER_SECRET", "MONGODB_URL"]) t.true(message.includes(name), name);
  t.false(message.includes("MONGODB_DATABASE"), message);
});

test("the value of a secret is never shown", (t) => {
  const short = fc.string({ minLength: 6, maxLength: 15 }).filter((text) => !/^[\w ]*$/.test(text));
  fc.assert(
    fc.property(fc.constantFrom("JWT_SECRET", "LABEL_SERVER_SECRET"), short, (name, secret) => {
      const message = messageOf(() => readEnvironment([name], [], { [name]: secret }));
      t.true(message.includes(name), message);
      t.false(message.includes(secret), message);
      t.false(message.includes(JSON.stringify(secret).slice(1, -1)), message);
    }),
  );
});

test("the error for an invalid secret still says what would be right", (t) => {
  const message = messageOf(() => readEnvironment(["JWT_SECRET"], [], { JWT_SECRET: "hush" }));
  t.regex(message, /JWT_SECRET .*32 characters/);
});

test("a secret that looks like a number stays text", (t) => {
  const JWT_SECRET = "0".repeat(32);
  t.deepEqual(readEnvironment(["JWT_SECRET"], [], { JWT_SECRET }), { JWT_SECRET });
});

const declared = async (): Promise<string[]> => {
  const files = ["settings", "settings/databases", "settings/api", "settings/other-servers", "settings/sign-on"];
  const sources = files.map((file) => readFile(new URL(`../../schemas/${file}.ts`, import.meta.url), "utf8"));
  return (await Promise.all(sources)).flatMap((source) =>
    [...source.matchAll(/^ {2}([A-Z][A-Z0-9_]+): \{/gm)].map(([, name = ""]) => name),
  );
};

test("the example names every setting once, below its meaning", async (t) => {
  const names = await declared();
  t.true(names.includes("PORT") && names.includes("REDIS_URL"));
  const lines = exampleEnvironment().split("\n");
  for (const name of names) {
    const lineEntries = [...lines.entries()].filter(([, line]) => line.replace(/^# /, "").startsWith(`${name}=`));
    t.is(lineEntries.length, 1, name);
    t.regex(lines[(lineEntries[0]?.[0] ?? 0) - 1] ?? "", /^# \S+ \S+/, name);
  }
});

test("the example is an environment that sets the defaults", (t) => {
  const set = [...exampleEnvironment().matchAll(/^([A-Z_]+)=(.+)$/gm)].map(
    ([, name, value]) => [name, value] as [Parameters<typeof readEnvironment>[0][number], string],
  );
  const names = set.map(([name]) => name);
  t.true(names.length > 5);
  t.deepEqual(readEnvironment(names, [], Object.fromEntries(set)), readEnvironment(names, [], {}));
});

test("the example contains no secret", (t) => {
  for (const name of ["REDIS_URL", "MONGODB_URL", "JWT_SECRET", "LABEL_SERVER_SECRET"]) {
    t.regex(exampleEnvironment(), new RegExp(`^# ${name}=$`, "m"));
  }
});

test("an invalid secret is not shown, whatever characters it contains", (t) => {
  const error = t.throws(() => readEnvironment(["LABEL_SERVER_SECRET"], [], { LABEL_SERVER_SECRET: "hush\u2028hush" }));
  t.regex(error?.message ?? "", /LABEL_SERVER_SECRET/);
  t.notRegex(error?.message ?? "", /hush/);
});

for (const [name, value, right] of [
  ["REDIS_URL", "foo", "must be the address of a Redis server, such as redis://127.0.0.1:6379"],
  ["REDIS_URL", "localhost:6379", "must be the address of a Redis server, such as redis://127.0.0.1:6379"],
  ["MONGODB_URL", "localhost:1", "must be the address of a MongoDB server, such as mongodb://127.0.0.1:27017"],
] as const)
  test(`${name}=${value} is refused with what would be right, and without the value`, (t) => {
    const message = messageOf(() => readEnvironment([name], [], { [name]: value }));
    t.true(message.includes(`${name} ${right}`), message);
    t.false(message.includes(`"${value}"`));
  });

for (const [title, source, names, right] of [
  [
    "neither JWT_SECRET nor JWKS_URL",
    {},
    ["REDIS_URL", "JWT_SECRET", "JWKS_URL"],
    /REDIS_URL is missing[\s\S]*JWT_SECRET is missing.*this or JWKS_URL/,
  ],
  [
    "a RATE_BURST below RATE_LIMIT",
    { RATE_LIMIT: "100", RATE_BURST: "99" },
    ["RATE_LIMIT", "RATE_BURST"],
    /RATE_BURST must be at least RATE_LIMIT \(100\), not 99/,
  ],
  ["a PUSH_PORT without its secret", { PUSH_PORT: "81" }, ["PUSH_PORT", "PUSH_SECRET"], /PUSH_SECRET is missing/],
  [
    "a Redis Cluster with Sentinels",
    { REDIS_SENTINELS: "a:1", REDIS_MODE: "cluster" },
    ["REDIS_MODE", "REDIS_SENTINELS"],
    /REDIS_SENTINELS is set, but REDIS_MODE is cluster.*Remove one/,
  ],
  ["an invalid number", { REDIS_URL: "redis://:hush@a/shop" }, ["REDIS_URL"], /REDIS_URL must be .*only a number/],
] as const)
  test(`${title} is reported together with other faults`, (t) => {
    const message = messageOf(() => readEnvironment(names, [], source));
    t.regex(message, right);
    t.notRegex(message, /hush/);
  });

test("settings that depend on each other are valid by default, and if a process reads only one of them", (t) => {
  const JWT_SECRET = "0".repeat(32);
  t.notThrows(() => readEnvironment(["JWT_SECRET", "JWKS_URL"], [], { JWT_SECRET }));
  t.notThrows(() => readEnvironment(["JWT_SECRET"], [], {}));
  for (const RATE_LIMIT of ["0", "1000"])
    t.notThrows(() => readEnvironment(["RATE_LIMIT", "RATE_BURST"], [], { RATE_LIMIT }));
  for (const REDIS_URL of ["redis://a", "rediss://me:x@a:1/", "redis://a/15", "redis://a:1?family=6"])
    t.notThrows(() => readEnvironment(["REDIS_URL"], [], { REDIS_URL }));
  for (const REDIS_SENTINELS of ["a", "a:26379,b.local:26379 , [fd00::1]:26379", "10.0.0.1:5"])
    t.notThrows(() => readEnvironment(["REDIS_SENTINELS", "REDIS_MODE"], [], { REDIS_SENTINELS }));
});

test("settings that differ from the defaults are listed, without secrets and passwords in addresses", (t) => {
  const names = [
    "PORT",
    "SWEEP_EVERY",
    "LOG_LEVEL",
    "BASE_PATH",
    "REDIS_URL",
    "JWT_SECRET",
    "LABEL_SERVER_URL",
  ] as const;
  const source = {
    ...{ PORT: "8080", SWEEP_EVERY: "2", BASE_PATH: "", RATE_LIMIT: "1", REDIS_URL: "redis://me:hush@a" },
    ...{ JWT_SECRET: "hush".repeat(8), LABEL_SERVER_URL: "https://me:hush@labels.example/esl" },
  };
  t.deepEqual(differingSettings(names, source), { SWEEP_EVERY: "2", LABEL_SERVER_URL: "https://labels.example/esl" });
});
