import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Jimp } from "jimp";
import { boldSerif } from "../../api/fonts/files.ts";

/** Writes the files that the documents' commands upload into a folder, under the documented names. */
export async function writeExampleFiles(folder: string): Promise<void> {
  writeFileSync(join(folder, "poster.png"), await new Jimp({ width: 20, height: 10 }).getBuffer("image/png"));
  writeFileSync(join(folder, "nutri-a.svg"), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"/>');
  writeFileSync(join(folder, "Brand-Bold.ttf"), boldSerif);
}
