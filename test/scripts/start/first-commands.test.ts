import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test from "ava";
import { freePort } from "../../../scripts/start/ports.ts";
import { isAsStated } from "../../docs/commands/command-blocks.ts";
import { eventually } from "../../harness/eventually.ts";
import { isUserMade, openOtherUser } from "./other-user.ts";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

const root = new URL("../../../", import.meta.url);
// Only what a clone has, because README's commands may have been run here, and their pictures belong to whoever ran them.
const cloned = execFileSync("git", ["ls-tree", "--name-only", "HEAD"], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n");
const user = openOtherUser(["node_modules", ...cloned]);
test.after.always(() => user.remove());

/** Returns README's commands under this heading, with the test's ports. */
function commandsOf(heading: string, ports: { api: number; emulator: number }): string {
  const [, section = ""] = readFileSync(new URL("README.md", root), "utf8").split(`## ${heading}\n`);
  const [, commands = ""] = /```sh\n(.*?)```/s.exec(section) ?? [];
  return commands.replaceAll(":8080", `:${ports.api}`).replaceAll(":8081", `:${ports.emulator}`);
}

(isUserMade ? test : test.skip)(
  "README's first commands run as written, for a user without root rights and with an empty home",
  async (t) => {
    const ports = { api: await freePort(), emulator: await freePort() };
    const options = {
      cwd: user.product,
      env: {
        HOME: user.ownFolder("home"),
        PATH: `${user.folder}:${process.env.PATH}`,
        // A mirror that refuses downloads, since every run with an empty home would download a mongod.
        MONGOMS_DOWNLOAD_MIRROR: "http://127.0.0.1:1",
        PORT: String(ports.api),
        EMULATOR_PORT: String(ports.emulator),
        LOG_LEVEL: "silent",
      },
    };
    // A separate process group, as a command in a terminal has.
    const started = spawn(...user.as(["npm", "start"]), {
      ...options,
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    const ended = once(started, "exit");
    const pressCtrlC = () => process.kill(-(started.pid ?? 0), "SIGINT");
    t.teardown(async () => {
      if (started.exitCode === null && started.signalCode === null) pressCtrlC();
      await ended;
    });
    const said: string[] = [];
    const isReady = Promise.withResolvers<void>();
    createInterface({ input: started.stdout }).on("line", (line) => {
      said.push(line);
      if (line.startsWith("  token")) isReady.resolve();
    });
    await Promise.race([isReady.promise, ended]);
    const [, stated = ""] = /```\n(ready.*?)```/s.exec(readFileSync(new URL("README.md", root), "utf8")) ?? [];
    t.true(isAsStated(said.slice(said.indexOf("ready")).join("\n"), stated), said.join("\n"));

    const commands = commandsOf("A first price change", ports);
    t.regex(commands, /before\.png(.*)PATCH(.*)after\.png/s);
    // On a busy machine, the API may refuse a call with 503.
    const asTyped = commands.replaceAll("curl ", "curl --fail --retry 60 --retry-delay 1 ");
    const ran = spawnSync(...user.as(["sh", "-ec", asTyped]), { ...options, encoding: "utf8" });
    t.is(ran.status, 0, ran.stderr);
    t.regex(ran.stdout, /^\{"requestId":\d+\}$/);
    const picture = (name: string) => readFileSync(join(user.product, name));
    const before = picture("before.png");
    t.deepEqual(before.subarray(0, PNG.length), PNG);
    await eventually("the label shows the new price", async () => {
      // Runs the last commands again.
      spawnSync(...user.as(["sh", "-ec", withoutChange(asTyped)]), options);
      return !picture("after.png").equals(before);
    });

    const runningOnly = ["lock", "databases.json"].map((name) => join(user.product, ".data", name));
    t.true(runningOnly.every(existsSync));
    pressCtrlC();
    await ended;
    await eventually("everything has stopped in order", async () => !runningOnly.some(existsSync));
    t.is(said.filter((line) => line === "stopping ...").length, 1);
    t.true(existsSync(join(user.product, ".data", "mongo")), "the data stays");
  },
);

/** Returns the commands that only read: all except the price change and the command before it. */
const withoutChange = (commands: string): string =>
  commands
    .split("\n\n")
    .filter((part) => !/before\.png|PATCH/.test(part))
    .join("\n");
