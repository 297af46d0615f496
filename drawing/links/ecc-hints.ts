import { type DrawingNotice, notice } from "../../schemas/drawing-notice.ts";
import { eccCodes } from "./ecc-elements.ts";
import { type EccHints, eccAccents } from "./ecc-models.ts";

/** The rendering hints of ECC models and their values. The first value is the default. */
export const eccHints = { accent: eccAccents, code: eccCodes, inverted: ["false", "true"] } as const;
type Name = keyof typeof eccHints;

/** Reads a link's rendering hints. For an unknown hint or value, returns a warning and uses the default. */
export function readEccHints(given: ReadonlyMap<string, string>): { hints: EccHints; warnings: DrawingNotice[] } {
  const warnings: DrawingNotice[] = [];
  for (const [name, value] of given) {
    const values: readonly string[] | undefined = Object.hasOwn(eccHints, name) ? eccHints[name as Name] : undefined;
    if (values === undefined)
      warnings.push(notice("ECC_HINT", { hint: name, hints: Object.keys(eccHints).join(", ") }));
    else if (!values.includes(value))
      warnings.push(notice("ECC_HINT_VALUE", { hint: name, values: values.join(", "), value }));
  }
  const chosen = <Value extends string>(name: Name, values: readonly [Value, ...Value[]]): Value =>
    values.find((value) => value === given.get(name)) ?? values[0];
  const hints = {
    accent: chosen("accent", eccHints.accent),
    code: chosen("code", eccHints.code),
    isInverted: chosen("inverted", eccHints.inverted) === "true",
  };
  return { hints, warnings };
}
