import test from "ava";
import { retryAfter } from "../../schemas/retry-after.ts";

const NOW = new Date("2026-03-01T08:00:00Z");

const headers: readonly [string | string[] | undefined, number | undefined][] = [
  ["120", 120_000],
  ["0.5", 500],
  ["Sun, 01 Mar 2026 08:02:00 GMT", 120_000],
  ["Sun, 01 Mar 2026 07:59:00 GMT", undefined],
  ["0", undefined],
  ["-5", undefined],
  ["soon", undefined],
  ["1e9", undefined],
  [["1", "2"], undefined],
  [undefined, undefined],
];

for (const [header, waitMs] of headers)
  test(`Retry-After ${JSON.stringify(header)} requests ${waitMs ?? "no"} ms`, (t) => {
    t.is(retryAfter(header, NOW), waitMs);
  });
