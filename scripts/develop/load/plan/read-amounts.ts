import { Refusal } from "../../../operate/admin/command.ts";

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof unitMs;

const isUnit = (text: string): text is Unit => Object.hasOwn(unitMs, text);
const isNumber = (text: string): boolean => /^\d{1,9}(\.\d{1,3})?$/.test(text);

/**
 * Returns the events per millisecond for a rate such as `5/s`, `2/h` or `0.5/m`, or for `0`. Throws a Refusal for any other
 * string.
 */
export function rateOf(option: string, text: string): number {
  if (text === "0") return 0;
  const [count = "", unit = "", ...more] = text.split("/");
  if (!isNumber(count) || !isUnit(unit) || unit === "ms" || more.length > 0)
    throw new Refusal(`${option} must be a number per s, m, h or d, such as 5/s or 2/h, or 0; not "${text}"`);
  return Number(count) / unitMs[unit];
}

/**
 * Returns the milliseconds for a time such as `10m`, `90s` or `1.5h`. Throws a Refusal for any other string, and for a time of
 * zero.
 */
export function millisecondsOf(option: string, text: string): number {
  const unit = /[a-z]+$/.exec(text)?.[0] ?? "";
  const count = text.slice(0, text.length - unit.length);
  const milliseconds = isNumber(count) && isUnit(unit) ? Number(count) * unitMs[unit] : 0;
  if (milliseconds === 0) throw new Refusal(`${option} must be a time such as 90s, 10m or 2h, not "${text}"`);
  return milliseconds;
}

/** Returns a share from 0 to 1, from a string such as `25%`. Throws a Refusal for any other string. */
export function shareOf(option: string, text: string): number {
  const percent = text.endsWith("%") ? text.slice(0, -1) : "";
  if (!isNumber(percent) || Number(percent) > 100)
    throw new Refusal(`${option} must be a share from 0% to 100%, not "${text}"`);
  return Number(percent) / 100;
}
