import { readFile } from "node:fs/promises";
import { refuse } from "../../../runtime/read-settings.ts";
import { unknownFields } from "../../../schemas/unknown-fields.ts";
import { parseWith } from "../../../schemas/validate.ts";
import { Scenario } from "./scenario.ts";

/** Reads a scenario from a file. Throws with the place and the value of each fault. */
export async function readScenario(file: URL | string): Promise<Scenario> {
  const scenario = parseWith(Scenario, String(file))(JSON.parse(await readFile(file, "utf8")));
  const [unknown] = unknownFields(Scenario, scenario);
  if (unknown) throw new TypeError(`${file}: ${unknown.pointer} ${unknown.detail}`);
  return scenario;
}

/** Reads a command line's scenario. If the file does not contain one, prints the reason and exits with code 1. */
export const readScenarioOrEnd = (file: string): Promise<Scenario> =>
  readScenario(file).catch((error: Error) => refuse(error.message));
