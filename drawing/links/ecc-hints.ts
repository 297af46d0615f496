import { eccCodes } from "./ecc-elements.ts";
import { type EccHints, eccAccents } from "./ecc-models.ts";

/** The rendering hints of ECC models and their values; the first value is the default. */
export const eccHints = { accent: eccAccents, code: eccCodes, inverted: ["false", "true"] } as const;
type Name = keyof typeof eccHints;

/** Reads a link's rendering hints. An unknown hint or value causes a warning, and the default is used. */
export function readEccHints(given: ReadonlyMap<string, string>): { hints: EccHints; warnings: string[] } {
  const warnings: string[] = [];
  for (const [name, value] of given) {
    const values: readonly string[] | undefined = Object.hasOwn(eccHints, name) ? eccHints[name as Name] : undefined;
    if (values === undefined)
      warnings.push(`the rendering hint "${name}" is unknown: the hints are ${Object.keys(eccHints).join(", ")}`);
    else if (!values.includes(value))
      warnings.push(`the rendering hint "${name}" must be one of ${values.join(", ")}, not "${value}"`);
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
