import { readdir } from "node:fs/promises";
import type { RecordKind } from "./kind.ts";

/** Every record kind, from the files of `kinds/`: to add a kind, add it to the file of its subject and change nothing else. */
export async function allKinds(): Promise<RecordKind<unknown>[]> {
  const folder = new URL("./kinds/", import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith(".ts")).sort();
  const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href)));
  return modules.flatMap((module) => Object.values(module).filter(isKind));
}

const isKind = (value: unknown): value is RecordKind<unknown> =>
  typeof value === "object" && value !== null && "name" in value && "schema" in value && "isAlive" in value;
