import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { openShelfwire } from "../../harness/shelfwire.ts";

const run = promisify(execFile);
const folder = fileURLToPath(new URL("../../../docs/typescript-client/", import.meta.url));

/** The types of the stored document; another test compares it with the operations. */
const generate = () =>
  run(
    process.execPath,
    ["node_modules/openapi-typescript/bin/cli.js", "../openapi.json", "--output", "shelfwire.d.ts"],
    {
      cwd: folder,
    },
  );

test("an integrator's program gets its types from the document, the compiler finds its type errors, and it runs", async (t) => {
  await generate();
  const compiled = await run(process.execPath, ["node_modules/typescript/bin/tsc", "--project", "."], {
    cwd: folder,
  }).then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
  t.is(compiled, "");

  const shelfwire = await openShelfwire();
  t.teardown(() => shelfwire.close());
  const env = { ...process.env, STORE: shelfwire.base, TOKEN: await shelfwire.token() };
  const barcode = labelFor("client");
  // The first picture of a stack can take longer than the program waits on a busy machine.
  const printed = await eventually("the program prints LINKED", async () => {
    const { stdout } = await run(process.execPath, ["client.ts", barcode], { cwd: folder, env });
    return stdout.includes(`${barcode}: LINKED`) && stdout;
  });
  t.is(
    printed,
    [
      `${barcode}: LINKED`,
      `${barcode} is OK and shows 4711`,
      "400 The request is invalid: The body has 1 fault: /0/price must be a string or null, not true.",
      "  /0/price must be a string or null, not true",
      "",
    ].join("\n"),
  );
});
