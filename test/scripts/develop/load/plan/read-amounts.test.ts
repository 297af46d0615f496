import test from "ava";
import { millisecondsOf, rateOf, shareOf } from "../../../../../scripts/develop/load/plan/read-amounts.ts";
import { Refusal } from "../../../../../scripts/operate/admin/command.ts";

test("a rate is a number per second, minute, hour or day", (t) => {
  const perMinute = ["0", "5/s", "0.5/m", "2/h", "144/d"].map((text) => rateOf("--urgent", text) * 60_000);
  t.deepEqual(perMinute, [0, 300, 0.5, 2 / 60, 0.1]);
});

test("a time is a number with its unit", (t) => {
  const times = ["250ms", "90s", "10m", "1.5h", "1d"].map((text) => millisecondsOf("--for", text));
  t.deepEqual(times, [250, 90_000, 600_000, 5_400_000, 86_400_000]);
});

test("a share is a percentage", (t) => {
  t.deepEqual(
    ["0%", "12.5%", "100%"].map((text) => shareOf("--results", text)),
    [0, 0.125, 1],
  );
});

for (const [read, option, texts] of [
  [rateOf, "--urgent", ["", "5", "/s", "5/", "-1/s", "5/s/s", "5/ms", "5/week", "1e3/s", "5/toString"]],
  [millisecondsOf, "--for", ["", "10", "m", "0m", "0.0s", "-1m", "10 m", "10x", "1e3s", "1constructor"]],
  [shareOf, "--results", ["", "5", "%", "101%", "-1%", "0.5"]],
] as const)
  for (const text of texts)
    test(`${option} "${text}" is refused, and the error states the value and an example`, (t) => {
      const { message } = t.throws(() => read(option, text), { instanceOf: Refusal });
      t.true(message.startsWith(option) && message.includes(`"${text}"`), message);
    });
