import { existsSync, readFileSync } from "node:fs";

/**
 * Shifts the clock of a process, only for chaos: `node --import shift-clock.ts?milliseconds=5000`, or with `file=PATH` by the
 * number in a file, which is read when the process starts. Only `Date` is shifted, as on a machine with a wrong clock. The
 * monotonic clock is always right.
 */
const { searchParams } = new URL(import.meta.url);
const file = searchParams.get("file");
const shiftMs = Number(file && existsSync(file) ? readFileSync(file, "utf8") : (searchParams.get("milliseconds") ?? 0));
const RealDate = Date;
const realNow = RealDate.now;
const shiftedNow = (): number => realNow() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [shiftedNow()] : given, newTarget),
  get: (target, name) => (name === "now" ? shiftedNow : Reflect.get(target, name)),
});
