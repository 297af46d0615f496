import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { overridden, withDefaults, withSecretFiles } from "../../runtime/secret-files.ts";
import { exampleEnvironment, type SettingName, secretNames } from "../../schemas/environment.ts";
import type { Setting } from "../../schemas/settings/setting.ts";
import { settings } from "../../schemas/settings.ts";

const folder = mkdtempSync(join(tmpdir(), "secrets-"));
const fileWith = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const names = Object.keys(settings) as SettingName[];
const secrets = secretNames(names);

test("every secret may be in a file, and the example names the file", (t) => {
  t.true(
    ["JWT_SECRET", "PROOF_KEY", "REDIS_URL", "MONGODB_URL"].every((name) => secrets.includes(name as SettingName)),
  );
  const source = Object.fromEntries(
    secrets.map((name) => [`${name}_FILE`, fileWith(name, `${name}: line 1\nline 2\n`)]),
  );
  const read = withSecretFiles(names, source);
  for (const name of secrets) {
    t.is(read[name], `${name}: line 1\nline 2`, "only the final line break is removed");
    t.regex(exampleEnvironment(), new RegExp(`^# ${name}_FILE=$`, "m"));
  }
});

test("a setting whose name suggests a secret is a secret, except for addresses without a password", (t) => {
  const named = Object.entries<Setting>(settings).filter(([name]) =>
    /SECRET|PASSWORD|_TOKEN$|PROOF_KEY$|_URL$/.test(name),
  );
  const open = named.filter(([, { secret }]) => !secret).map(([name]) => name);
  t.deepEqual(open, ["JWKS_URL", "PUBLIC_URL", "LABEL_SERVER_URL"], "addresses without a password");
});

test("a setting that is not a secret is not read from a file", (t) => {
  t.is(withSecretFiles(names, { PORT_FILE: fileWith("port", "81") }).PORT, undefined);
});

test("a secret that was entered in place of its file's path is not quoted", (t) => {
  for (const secret of [
    "s3cret-of-32-characters-in-its-place",
    "/aGVsbG8/d29ybGQ+c2VjcmV0",
    "/c2VjcmV0",
    "x".repeat(9_000),
  ])
    t.is(
      t.throws(() => withSecretFiles(names, { JWT_SECRET_FILE: secret }))?.message.includes(secret),
      false,
      secret.slice(0, 40),
    );
});

test("all unreadable files are named together, and so is a secret that is set twice, but no secret is shown", (t) => {
  const error = t.throws(() =>
    withSecretFiles(names, {
      JWT_SECRET_FILE: join(folder, "none"),
      METRICS_TOKEN_FILE: fileWith("empty", "\n"),
      PUSH_SECRET_FILE: fileWith("large", "x".repeat(70_000)),
      PROOF_KEY: "hush",
      PROOF_KEY_FILE: fileWith("key", "hush"),
    }),
  );
  const message = error?.message ?? "";
  for (const part of [
    /JWT_SECRET_FILE must name a readable file with the secret, not ".*none"/,
    /METRICS_TOKEN_FILE .*empty/,
    /PUSH_SECRET_FILE .*65536 bytes/,
    /PROOF_KEY and PROOF_KEY_FILE are both set/,
  ])
    t.regex(message, part);
  t.notRegex(message, /hush/);
});

test("a launcher's settings replace files, and files replace its defaults", (t) => {
  const source = { JWT_SECRET_FILE: "a", METRICS_TOKEN_FILE: "b" };
  t.deepEqual(overridden(source, { JWT_SECRET: "c" }), { METRICS_TOKEN_FILE: "b", JWT_SECRET: "c" });
  t.deepEqual(withDefaults(source, { JWT_SECRET: "c", REDIS_URL: "d" }), { ...source, REDIS_URL: "d" });
});
