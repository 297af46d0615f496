import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { writeLine } from "../../archive/archive-lines.ts";
import { checkArchive } from "../../archive/check-archive.ts";
import { countRecords, readStore, type StoreIds } from "../../archive/export-store.ts";
import { writeStore } from "../../archive/import-store.ts";
import { readTenant, removedText } from "../assert-tenant.ts";
import { command, Refusal } from "../command.ts";

const MAX_LISTED = 20;
/** Only the owner may read an archive, because it contains a shop's prices and labels. */
const FILE_MODE = 0o600;

export const exportCommand = command({
  name: "export",
  arguments: ["TENANT", "STORE", "FILE"],
  means: "export a store, with everything from its tenant that its pictures need, to a file of JSON lines",
  options: {},
  async run({ arguments: [tenant = "", store = "", file = ""], isDryRun, open, progress }) {
    const system = await open();
    const ids: StoreIds = { tenant, store };
    const total = await countRecords(system, ids);
    const bar = progress("records", total);
    const part = `${file}.part`;
    let records = 0;
    async function* texts() {
      for await (const line of readStore(system, ids)) {
        yield writeLine(line);
        if (!("kind" in line)) continue;
        records += 1;
        bar(records);
      }
    }
    if (isDryRun) for await (const _ of texts());
    else
      try {
        await pipeline(texts(), createWriteStream(part, { mode: FILE_MODE }));
        await rename(part, file);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    const { removal } = await readTenant(system.records, tenant);
    return {
      data: { tenant, store, file, records },
      lines: [
        `${records} records of store ${store} of ${tenant} ${isDryRun ? "would be" : "are"} in ${file}.`,
        ...(removal ? [removedText(tenant, removal)] : []),
      ],
    };
  },
});

export const importCommand = command({
  name: "import",
  arguments: ["FILE"],
  means: "import a store from a file that export has written, with its tenant if the tenant does not exist",
  options: {},
  async run({ arguments: [file = ""], isDryRun, open, progress }) {
    await stat(file).catch(() => {
      throw new Refusal(`The file ${file} does not exist.`);
    });
    const checked = await checkArchive(file);
    const options = { isDryRun, progress: progress("records", checked.records) };
    const { written, kept, different } = await writeStore(await open(), file, checked, options);
    const { pictures } = checked;
    const { tenant, store } = checked.head;
    return {
      data: { tenant, store, written, kept, different, pictures },
      lines: [
        `${written} records and ${pictures} pictures of store ${store} of ${tenant} ${isDryRun ? "would be" : "were"} imported.`,
        ...(kept > 0 ? [`${kept} records already exist and are not changed.`] : []),
        ...(different.length > 0
          ? [`${different.length} of the tenant's resources differ from those in the file:`]
          : []),
        ...different.slice(0, MAX_LISTED).map((key) => `  ${key}`),
      ],
    };
  },
});
