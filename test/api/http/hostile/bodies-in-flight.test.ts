import { promisify } from "node:util";
import { gzip } from "node:zlib";
import test from "ava";
import { type OwnApi, openOwnApi } from "../../../harness/processes/own-api.ts";
import { openShelfwire, type Shelfwire } from "../../../harness/shelfwire.ts";
import { thisThread } from "../../../harness/threads/host.ts";
import { refused } from "../../calls.ts";
import { largestRows } from "./hostile-sends.ts";

let shelfwire: Shelfwire;
let api: OwnApi;
test.before(async () => {
  shelfwire = await openShelfwire({ workers: [] }, thisThread);
  api = await openOwnApi(shelfwire);
});
test.after.always(async () => {
  await api.close();
  await shelfwire.close();
});

const MiB = 2 ** 20;
const pack = promisify(gzip);

async function patch(body: Buffer | string, packed: boolean): Promise<Response> {
  const headers = {
    authorization: `Bearer ${await shelfwire.token({ subject: "floods" })}`,
    "content-type": "application/json",
    ...(packed && { "content-encoding": "gzip" }),
  };
  return fetch(`${api.base}/items`, { method: "PATCH", headers, body: body });
}

/** Bodies that consist of rows that are accepted, of a million values, or of bytes that are refused once they are scanned. */
const floods: readonly [what: string, make: () => string, isRefused: boolean][] = [
  ["32 MiB of rows", largestRows, true],
  // Each body is refused for its rows before the next one is unpacked.
  ["a million values", () => `[${"{},".repeat(999_000)}{}]`, false],
  ["32 MiB of blanks", () => " ".repeat(32 * MiB), true],
];

for (const [what, make, isRefused] of floods) {
  test.serial(
    `24 concurrent compressed bodies of ${what} are accepted within the budget and refused beyond it`,
    async (t) => {
      const body = await pack(make(), { level: 1 });
      const answers = await Promise.all(Array.from({ length: 24 }, () => patch(body, true)));
      const statuses = answers.map(({ status }) => status);
      t.log(`${api.memory().peak.toFixed(0)} MB at most; ${JSON.stringify(Object.groupBy(statuses, String))}`);
      const busy = answers.filter(({ status }) => status === 503);
      if (isRefused) t.true(busy.length > 0, "some bodies are refused");
      for (const answer of busy) {
        t.is(answer.headers.get("retry-after"), "2");
        t.is((await refused(t, answer, 503)).type, "/problems/busy");
      }
      t.true(busy.length < answers.length, "not all bodies are refused");
      t.is((await patch('[{"itemId":"small"}]', false)).status, 202);
      const again = await patch(body, true);
      t.true([202, 400].includes(again.status), "the budget is free again");
    },
  );
}
