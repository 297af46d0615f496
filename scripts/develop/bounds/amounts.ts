import { defaultOf } from "../../../schemas/environment.ts";

/** Formats a number. */
export const count = (value: number): string => value.toLocaleString("en-US");
/** Formats a period in seconds. */
export const seconds = (milliseconds: number): string => `${count(milliseconds / 1000)} s`;
/** Formats a size in MiB or in KiB. */
export function bytes(value: number): string {
  const [unit, size] = value % 2 ** 20 === 0 ? (["MiB", 2 ** 20] as const) : (["KiB", 2 ** 10] as const);
  return `${count(value / size)} ${unit}`;
}
/** Formats a rate per second, with the setting's name. */
export const perSecond = (name: "RATE_LIMIT" | "TENANT_RATE_LIMIT" | "ADDRESS_RATE_LIMIT"): string =>
  `${count(defaultOf(name))} a second (\`${name}\`)`;
