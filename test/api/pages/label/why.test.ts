import test from "ava";
import { periodText } from "../../../../api/pages/label/why.ts";
import { type Language, textsOf } from "../../../../api/pages/messages/texts.ts";

const table: [language: Language, from: string | undefined, to: string | undefined, said: string][] = [
  ["en", "2026-12-24T06:00", undefined, "Applies from: Dec 24, 2026, 06:00"],
  ["en", undefined, "2026-12-25", "Applied until: Dec 25, 2026"],
  ["de", "2026-12-24", "2026-12-25 18:30:15", "Gilt: 24. Dez. 2026 – 25. Dez. 2026, 18:30"],
  ["hr", "2026-12-24T06:00Z", undefined, "Vrijedi od: 24. pro 2026. 06:00 (UTC)"],
  ["de", undefined, "2026-12-24T06:00:00.000+01:00", "Galt bis: 24. Dez. 2026, 06:00 (UTC+01:00)"],
];
for (const [language, from, to, said] of table)
  test(`a scenario outside its period says when it applies: ${said}`, (t) => {
    const period = { ...(from && { from }), ...(to && { to }) };
    t.is(periodText(textsOf(language), language, period).replace(/\s/g, " "), said);
  });
