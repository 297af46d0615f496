import { writeFile } from "node:fs/promises";
import { exampleEnvironment } from "../../schemas/environment.ts";
import { readCommandLine } from "./command-line.ts";

readCommandLine("npm run environment-example --", {
  arguments: [],
  means: "write .env.example from the table of settings",
  options: {},
});
await writeFile(new URL("../../.env.example", import.meta.url), exampleEnvironment());
