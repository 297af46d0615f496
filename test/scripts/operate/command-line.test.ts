import { execFile } from "node:child_process";
import { promisify } from "node:util";
import test from "ava";
import type { Command } from "../../../scripts/operate/admin/command.ts";
import { completionScript, isShell, placesOf, shells } from "../../../scripts/operate/command-line/completion.ts";
import { programs } from "../../../scripts/operate/command-line/programs.ts";

const execute = promisify(execFile);
const shelfwire = (...words: string[]) =>
  execute(process.execPath, ["scripts/shelfwire.mjs", ...words]).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
  );

test("for an unknown command the nearest name is suggested, with exit code 2", async (t) => {
  const { code, out, err } = await shelfwire("lable-server-check");
  t.deepEqual([code, out], [2, ""]);
  t.regex(err, /^The command "lable-server-check" does not exist\. Did you mean "label-server-check"\?/);
});

test("without a command all commands are printed, and none is loaded", async (t) => {
  const { code, out } = await shelfwire();
  t.is(code, 0);
  for (const name of [...Object.keys(programs), "completion"]) t.regex(out, new RegExp(`^  ${name} `, "m"));
});

test("a command's options are completed after it, and the second word of its name after the first", (t) => {
  const run = () => Promise.reject(new Error("the command is only listed"));
  const shared = { arguments: [], means: "", run };
  const commands: Command[] = [
    { ...shared, name: "tenant list", options: {} },
    { ...shared, name: "tenant put", options: { file: { takes: "FILE", means: "" } } },
  ];
  const places = placesOf("admin", { commands, common: { json: { means: "" } } });
  t.deepEqual(
    places.map(({ after, choices }) => [after, choices.map(({ word }) => word)]),
    [
      ["admin", ["tenant"]],
      ["admin tenant", ["list", "put"]],
      ["admin tenant list", ["--json"]],
      ["admin tenant put", ["--file", "--json"]],
    ],
  );
});

/** Returns the words that bash suggests after a line whose last word is being completed. */
async function offered(words: readonly string[]): Promise<string> {
  const script = `${await completionScript("bash")}
COMP_WORDS=(shelfwire "$@"); COMP_CWORD=$#; _shelfwire; echo "\${COMPREPLY[*]}"`;
  return (await execute("bash", ["-c", script, "bash", ...words])).stdout.trim();
}

test("bash completes commands and options of the real programs, and files elsewhere", async (t) => {
  t.is(await offered(["label"]), "label-server-check");
  t.is(await offered(["admin", "tenant", "re"]), "remove restore");
  t.is(await offered(["import", "list.csv", "--map"]), "--mapping");
  t.is(await offered(["import", ""]), "");
  t.is(await offered(["import", "--mapping", "--"]), "");
});

test("each shell has a completion script, and any other name has none", async (t) => {
  t.deepEqual([...shells], ["bash", "zsh", "fish"]);
  t.false(isShell("toString"));
  t.regex(await completionScript("zsh"), /^#compdef shelfwire\n/);
  const fish = await completionScript("fish");
  t.true(fish.includes(`-n '__shelfwire_at "import"' -l mapping -r -d 'maps columns of the file to fields'`));
});
