import type { CanvasDesign } from "../../schemas/canvas.ts";
import type { DraftFinding } from "../../schemas/version.ts";
import { designFindings } from "./law-findings.ts";

/** A longer list of warnings would not help anybody. */
const MAX_WARNINGS = 100;

/**
 * Checks a design against the laws of the countries in which a tenant has stores. Breaches prevent its publication. The same
 * finding in several countries is reported once and names them all.
 */
export function checkLaw(
  canvas: CanvasDesign,
  countries: readonly string[],
  date: string,
): { errors: DraftFinding[]; warnings: DraftFinding[] } {
  const all = countries.flatMap((country) =>
    designFindings({ country, date }, { id: "", canvas }, { itemKeys: new Set() }).map((found) => ({
      ...found,
      country,
    })),
  );
  const alike = Map.groupBy(all, ({ check, pointer, detail }) => JSON.stringify([check, pointer, detail]));
  const merged = [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const where = group.map(({ country }) => country).join(", ");
    const detail = `${first.detail} (${first.check}, ${where}: ${first.source})`;
    return [{ level: first.level, finding: { pointer: first.pointer, detail } }];
  });
  const of = (level: string) => merged.filter((one) => one.level === level).map(({ finding }) => finding);
  return { errors: of("breach"), warnings: of("warning").slice(0, MAX_WARNINGS) };
}
