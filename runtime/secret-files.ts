import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { type SettingName, SettingsError, secretNames } from "../schemas/environment.ts";

/** Maximum size of a file with one secret: a larger file must have been named by mistake. */
const MAX_BYTES = 64 * 2 ** 10;

/**
 * Returns the environment with secrets read from files: `NAME_FILE` names the file that holds the secret `NAME`, as containers
 * mount it. A line break at the end is not part of the secret. Throws one SettingsError that lists every file that cannot be
 * read and every secret that is set twice. The error never contains a secret.
 */
export function withSecretFiles(
  names: readonly SettingName[],
  source: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const faults: string[] = [];
  const read = secretNames(names).flatMap((name) => {
    const path = source[`${name}_FILE`];
    if (!path) return [];
    if (source[name]) {
      faults.push(`${name} and ${name}_FILE are both set. Remove one of the two`);
      return [];
    }
    try {
      return [[name, contentOf(path)] as const];
    } catch (error) {
      faults.push(`${name}_FILE must name a readable file with the secret${reasonOf(path, error as Error)}`);
      return [];
    }
  });
  if (faults.length > 0) throw new SettingsError(faults);
  return { ...source, ...Object.fromEntries(read) };
}

/** Returns the environment with `values` set. They also replace secret files with the same names. */
export function overridden(source: NodeJS.ProcessEnv, values: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const rest = Object.entries(source).filter(([name]) => values[name.replace(/_FILE$/, "")] === undefined);
  return { ...Object.fromEntries(rest), ...values };
}

/** Returns the environment with `values` as defaults for what neither a variable nor a file sets. */
export function withDefaults(source: NodeJS.ProcessEnv, values: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(Object.entries(values).filter(([name]) => !source[`${name}_FILE`])), ...source };
}

/**
 * Says why a file cannot be read. A value that is not a path may be the secret itself, entered under the wrong name, so it is
 * not quoted.
 */
function reasonOf(path: string, { message }: Error): string {
  const folder = dirname(path);
  const isPlace = !["/", "."].includes(folder) && existsSync(folder);
  return isPlace ? `, not "${path}": ${message}` : ": its value, which is not shown here, is not the path of a file";
}

function contentOf(path: string): string {
  const text = readFileSync(path, "utf8").replace(/\r?\n$/, "");
  if (text === "") throw new Error("the file is empty");
  if (Buffer.byteLength(text) > MAX_BYTES) throw new Error(`the file has more than ${MAX_BYTES} bytes`);
  return text;
}
