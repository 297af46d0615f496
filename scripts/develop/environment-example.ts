import { writeFile } from "node:fs/promises";
import { exampleEnvironment } from "../../schemas/environment.ts";

/** Writes `.env.example` from the table of settings. */
await writeFile(new URL("../../.env.example", import.meta.url), exampleEnvironment());
