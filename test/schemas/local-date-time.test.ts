import test from "ava";
import fc from "fast-check";
import { Type } from "typebox";
import { faultAt } from "../../schemas/problem.ts";
import { refusalNotice } from "../../schemas/refusal-notice.ts";
import { compileCheck } from "../../schemas/validate.ts";

const check = compileCheck(Type.String({ format: "local-date-time" }));

test("a local time is any second of any existing day", (t) => {
  const day = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(day, (date) => {
      t.deepEqual(check(date.toISOString().slice(0, 19).replace("T", " ")), []);
    }),
  );
});

test("an empty time is valid", (t) => {
  t.deepEqual(check(""), []);
});

const refused = [
  "2026-02-29 00:00:00",
  "2026-04-31 12:00:00",
  "2026-13-01 00:00:00",
  "2026-00-10 00:00:00",
  "2026-01-00 00:00:00",
  "2026-01-01 24:00:00",
  "2026-01-01 12:60:00",
  "2026-01-01 12:00:60",
  "2026-01-01T12:00:00",
  "2026-01-01 12:00",
  "2026-01-01",
  "2026-01-01 12:00:00Z",
  "2026-01-01 12:00:00.000",
  "2026-01-01 12:00:00 ",
  "2026-1-1 12:00:00",
  "01.01.2026 12:00:00",
  "tomorrow",
];

for (const text of refused) {
  test(`"${text}" is not a local time, and the error shows the format`, (t) => {
    t.deepEqual(check(text), [
      faultAt("", refusalNotice("FIELD_TIME", { form: "YYYY-MM-DD hh:mm:ss", value: `"${text}"` })),
    ]);
  });
}
