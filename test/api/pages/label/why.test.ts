import test from "ava";
import { periodText } from "../../../../api/pages/label/why.ts";
import { textsOf } from "../../../../api/pages/messages/texts.ts";

const table: [from: string | undefined, to: string | undefined, said: string][] = [
  ["2026-12-24T06:00", undefined, "Holds from 2026-12-24 06:00 on"],
  [undefined, "2026-12-25", "Held until 2026-12-25"],
  ["2026-12-24", "2026-12-25", "Holds from 2026-12-24 until 2026-12-25"],
];
for (const [from, to, said] of table)
  test(`a scenario outside its period says when it holds: ${said}`, (t) => {
    t.is(periodText(textsOf("en"), { ...(from && { from }), ...(to && { to }) }), said);
  });
