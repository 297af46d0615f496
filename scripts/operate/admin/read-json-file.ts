import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { Refusal } from "./command.ts";

/** Returns the JSON in a file, or from standard input if its name is `-`. Throws a Refusal if it cannot be read. */
export async function readJsonFile(file: string): Promise<unknown> {
  const content = await (file === "-" ? text(process.stdin) : readFile(file, "utf8")).catch((error: Error) => {
    throw new Refusal(`${file} cannot be read: ${error.message}`);
  });
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Refusal(`${file} is not valid JSON: ${(error as Error).message}`);
  }
}
