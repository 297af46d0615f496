import test from "ava";
import { command, countOf, Refusal } from "../../../../scripts/operate/admin/command.ts";
import { commands } from "../../../../scripts/operate/admin/commands.ts";
import { commandHelp, helpText } from "../../../../scripts/operate/admin/help-text.ts";
import { commonOptions, parseCall } from "../../../../scripts/operate/admin/parse-call.ts";

const nothing = async () => ({ lines: [], data: {} });
const some = [
  command({ name: "export", arguments: ["FILE"], means: "write a store", options: {}, run: nothing }),
  command({
    name: "tenant remove",
    arguments: ["TENANT"],
    means: "remove a tenant",
    options: {
      "grace-days": { takes: "DAYS", initial: "30", means: "how long it is kept" },
      now: { means: "at once" },
    },
    run: nothing,
  }),
];

const program = { call: "npm run admin --", commands: some, common: commonOptions };

test("a command of two words is found by both words, and its options have their values or defaults", (t) => {
  t.like(parseCall(program, ["tenant", "remove", "acme", "--json"]), {
    command: some[1],
    arguments: ["acme"],
    options: { "grace-days": "30", now: false },
    asksJson: true,
    isDryRun: false,
  });
  t.like(parseCall(program, ["tenant", "remove", "--dry-run", "--now", "--grace-days", "7", "acme"]), {
    arguments: ["acme"],
    options: { "grace-days": "7", now: true },
    isDryRun: true,
  });
});

for (const [line, why] of [
  [["explode"], 'The command "explode" does not exist. npm run admin -- help lists them.'],
  [["tenant"], 'The command "tenant" does not exist. There are tenant remove.'],
  [["tenant", "explode"], 'The command "tenant explode" does not exist. There are tenant remove.'],
  [["export"], "export requires FILE"],
  [["export", "a", "b"], 'export takes 1 arguments: "b" is one too many'],
  [["export", "a", "--all"], /^export: Unknown option '--all'/],
  [["tenant", "remove", "acme", "--grace-days"], /^tenant remove: Option '--grace-days <value>' argument missing/],
] as const) {
  test(`admin ${line.join(" ")} is refused, and the error says what would be right`, (t) => {
    const error = t.throws(() => parseCall(program, line), { instanceOf: Refusal });
    if (typeof why === "string") t.is(error.message, why);
    else t.regex(error.message, why);
  });
}

for (const line of [[], ["help"], ["--help"], ["help", "nonsense"]]) {
  test(`admin ${line.join(" ")} prints the help of all commands`, (t) =>
    t.like(parseCall(program, line), { command: undefined, asksHelp: true }));
}

for (const line of [
  ["help", "tenant", "remove"],
  ["tenant", "remove", "--help"],
]) {
  test(`admin ${line.join(" ")} prints the help for one command, even without its arguments`, (t) =>
    t.like(parseCall(program, line), { command: some[1], asksHelp: true }));
}

test("the help text lists each command and each option with its default", (t) => {
  t.regex(helpText(program), /export FILE +write a store\n +tenant remove TENANT +remove a tenant/);
  t.regex(
    commandHelp(program, some[1] as (typeof some)[1]),
    /--grace-days DAYS +how long it is kept \(30\)\n +--now +at once/,
  );
});

test("a count is a number from 1 to 999999999", (t) => {
  t.is(countOf("--step", "12"), 12);
  for (const wrong of ["0", "-1", "1.5", "1e3", "9999999999", ""])
    t.throws(() => countOf("--step", wrong), { message: new RegExp(`^--step must be .*not "${wrong}"`) });
});

test("names of commands are one or two words and unique", (t) => {
  const names = commands.map(({ name }) => name);
  t.deepEqual([...new Set(names)], names);
  for (const name of names) t.regex(name, /^[a-z]+(-[a-z]+)*( [a-z]+(-[a-z]+)*)?$/);
});
