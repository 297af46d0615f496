import type { Static } from "typebox";
import type { Setting } from "./settings/setting.ts";
import { settings } from "./settings.ts";
import { compileCheck } from "./validate.ts";

type Settings = typeof settings;
export type SettingName = keyof Settings;
type NumberSetting = {
  [N in SettingName]: Settings[N] extends { initial: number } ? N : never;
}[SettingName];
export type Environment<N extends SettingName, O extends SettingName = never> = {
  [K in N]: Static<Settings[K]["schema"]> | (Settings[K] extends { optional: true } ? undefined : never);
} & { [K in O]: Static<Settings[K]["schema"]> | undefined };

/**
 * Reads the named settings once, at start-up: parses numbers and fills in defaults; the settings in `optional` may be missing.
 * Throws one SettingsError that lists every missing or invalid setting.
 */
export function readEnvironment<const N extends SettingName, const O extends SettingName = never>(
  names: readonly N[],
  optional: readonly O[] = [],
  source: NodeJS.ProcessEnv = process.env,
): Environment<N, O> {
  const faults: string[] = [];
  const values = [...names, ...optional].map((name) => {
    const setting: Setting = settings[name];
    const given = source[name] || undefined;
    if (
      given === undefined &&
      setting.initial === undefined &&
      !setting.optional &&
      !optional.some((candidate) => candidate === name)
    ) {
      faults.push(`${name} is missing. ${setting.means}`);
    }
    if (given === undefined) return [name, setting.initial];
    const isNumber = "type" in setting.schema && setting.schema.type === "integer" && /^\d+$/.test(given);
    const value = isNumber ? Number(given) : given;
    const [fault] = compileCheck(setting.schema)(value);
    if (fault || setting.isRight?.(given) === false)
      faults.push(`${name} ${faultText(setting, given, fault?.detail ?? "")}`);
    return [name, value];
  });
  const read = Object.fromEntries(values);
  faults.push(...togetherFaults(read, (name) => Boolean(source[name])));
  if (faults.length > 0) throw new SettingsError(faults);
  return read as Environment<N, O>;
}

/** Returns the named settings that are secrets: each may be in a file that `NAME_FILE` names. */
export const secretNames = (names: readonly SettingName[]): SettingName[] =>
  names.filter((name) => (settings[name] as Setting).secret);

/** Reports conflicts between the settings that a process reads. */
function* togetherFaults(
  read: Readonly<Partial<Record<SettingName, unknown>>>,
  isGiven: (name: SettingName) => boolean,
): Generator<string> {
  const readsBoth = (one: SettingName, other: SettingName) => one in read && other in read;
  if (readsBoth("JWT_SECRET", "JWKS_URL") && !isGiven("JWT_SECRET") && !isGiven("JWKS_URL"))
    yield `JWT_SECRET is missing. ${settings.JWT_SECRET.means}`;
  if (readsBoth("REDIS_SENTINELS", "REDIS_MODE") && isGiven("REDIS_SENTINELS") && read.REDIS_MODE === "cluster")
    yield "REDIS_SENTINELS is set, but REDIS_MODE is cluster, and a Redis Cluster has no Sentinels. Remove one of the two";
  // If RATE_BURST is not set, it defaults to a valid value.
  if (
    readsBoth("RATE_LIMIT", "RATE_BURST") &&
    isGiven("RATE_BURST") &&
    Number(read.RATE_BURST) < Number(read.RATE_LIMIT)
  )
    yield `RATE_BURST must be at least RATE_LIMIT (${read.RATE_LIMIT}), not ${read.RATE_BURST}`;
  const missing = (["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "PUBLIC_URL"] as const).filter((name) => !isGiven(name));
  if ("OIDC_ISSUER" in read && isGiven("OIDC_ISSUER"))
    for (const name of missing) yield `${name} is missing, but OIDC_ISSUER is set. ${settings[name].means}`;
  const missingForMail = (["MAIL_FROM", "PUBLIC_URL"] as const).filter((name) => !isGiven(name));
  if ("SMTP_URL" in read && isGiven("SMTP_URL"))
    for (const name of missingForMail) yield `${name} is missing, but SMTP_URL is set. ${settings[name].means}`;
  if ("MAIL_FROM" in read && !("SMTP_URL" in read) && isGiven("MAIL_FROM") && !isGiven("PUBLIC_URL"))
    yield `PUBLIC_URL is missing, but MAIL_FROM is set. ${settings.PUBLIC_URL.means}`;
  if (readsBoth("PUSH_PORT", "PUSH_SECRET") && isGiven("PUSH_PORT") && !isGiven("PUSH_SECRET"))
    yield `PUSH_SECRET is missing, but PUSH_PORT is set. ${settings.PUSH_SECRET.means}`;
}

function faultText({ right, secret }: Setting, given: string, detail: string): string {
  if (right !== undefined) return `must be ${right}${secret ? "" : `, not "${given}"`}`;
  return secret ? detail.replace(/, .*$/s, "") : detail;
}

/** Thrown at start-up if settings are missing or invalid. It never contains the value of a secret. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  constructor(faults: readonly string[]) {
    super(`settings are missing or invalid:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
  }
}

/**
 * Returns the named settings that differ from their defaults, as they were set. Secrets and passwords in addresses are left
 * out; the names of files that hold secrets are included.
 */
export function differingSettings(
  names: readonly SettingName[],
  source: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const differing = names.flatMap((name): [string, string][] => {
    const { initial, secret }: Setting = settings[name];
    const given = source[name] || undefined;
    const file = secret ? source[`${name}_FILE`] || undefined : undefined;
    if (file !== undefined) return [[`${name}_FILE`, file]];
    if (given === undefined || secret || given === String(initial)) return [];
    return [[name, given.replace(/\/\/[^/@]*@/, "//")]];
  });
  return Object.fromEntries(differing);
}

/** The default of a numeric setting. */
export const defaultOf = (name: NumberSetting): number => settings[name].initial;

/** Returns the text of `.env.example`. */
export function exampleEnvironment(): string {
  return Object.entries<Setting>(settings)
    .map(([name, { means, initial, secret }]) =>
      [
        `# ${means}`,
        initial === undefined ? `# ${name}=` : `${name}=${initial}`,
        ...(secret ? [`# ${name}_FILE=`] : []),
      ]
        .map((line) => `${line}\n`)
        .join(""),
    )
    .join("\n");
}
