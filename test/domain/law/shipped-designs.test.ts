import test from "ava";
import { designFindings } from "../../../domain/law/law-findings.ts";
import { templateIds } from "../../../drawing/templates/listed.ts";
import { templateCanvas } from "../../../drawing/templates/templates.ts";

const panels = [
  { width: 296, height: 128, display: "matrix" },
  { width: 400, height: 300, display: "matrix" },
] as const;
const context = { itemKeys: new Set(["itemName", "price"]) };

test("no shipped design breaks the law of Croatia, Germany or Great Britain, or lacks a unit price", (t) => {
  const found = templateIds.flatMap((template) =>
    panels.flatMap((panel) => {
      const canvas = templateCanvas(template, panel, "hr-HR");
      if (canvas === undefined) return [];
      return ["HR", "DE", "GB"].flatMap((country) =>
        designFindings({ country, date: "2026-11-28" }, { id: template, canvas }, context)
          .filter(({ check, level }) => level === "breach" || check === "UNIT_PRICE")
          .map(({ check, pointer, detail }) => `${template} ${country} ${check} ${pointer}: ${detail}`),
      );
    }),
  );
  t.deepEqual(found, []);
});
