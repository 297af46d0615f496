import { writeFile } from "node:fs/promises";
import { allKinds } from "../../records/all-kinds.ts";
import { indexesOf } from "../../records/indexes.ts";
import { readCommandLine } from "./command-line.ts";
import { listQueries, QUERY_LIST, readQueryList, readRecorded } from "./queries/query-list.ts";

/**
 * `npm run queries` adds the queries that the last `npm test` sent to the list, with the index that serves each. `--all`,
 * after a run of all tests, also removes queries that no test sent.
 */
const { options } = readCommandLine("npm run queries --", {
  arguments: [],
  means: "add the queries that the last tests sent to the list, with the index that serves each",
  options: { all: { means: "remove the queries that no test has sent: use after a run of all tests" } },
});
const kept = options.all ? [] : readQueryList().map(({ query }) => query);
const list = listQueries([...kept, ...readRecorded()], indexesOf(await allKinds()));
await writeFile(QUERY_LIST, list.map((listed) => `${JSON.stringify(listed)}\n`).join(""));
