import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { connectAsync } from "mqtt";
import { untilTaken } from "../../../api/calls.ts";
import { eventually } from "../../../harness/eventually.ts";
import { openMosquitto } from "../../../harness/label-servers/mosquitto.ts";
import { casesToTry } from "../../../harness/searches/effort.ts";
import { openBrowser } from "./browser.ts";
import { type Failing, type Installation, openInstallation, saysAway } from "./installation.ts";
import { type Ended, folder } from "./installed.ts";
import { type Asked, healthy, type Lasting, situations } from "./situations.ts";

/** Text that output for an operator must never contain: a secret, a stack trace or an unexplained error. */
const NEVER = /hush|^ +at |Internal (Server )?Error/im;

const MAX_SHOWN = 2_000;
const READY_TTL_MS = 500;
const RETRY_MS = 1_000;
const MAX_ATTEMPTS = 60;

/**
 * Leads from an empty installation to a price list on a label, and checks what its commands and pages say while a
 * database fails.
 */
export function walkFromNothing(): void {
  const opened: { installation?: Installation; sessions?: Record<string, string>; tokens?: Record<string, string> } =
    {};
  test.after.always(() => opened.installation?.close());

  const ask = async (asked: Asked, { origin, more }: Pick<Failing, "origin" | "more">) => {
    const { installation, sessions = {}, tokens } = opened;
    if (!("command" in asked)) return openBrowser(origin, sessions, tokens).ask(asked);
    const ended = await installation?.command(asked.command, asked.args, { ...more, ...asked.more });
    return { code: ended?.code, text: `${ended?.out}${ended?.err}` };
  };

  const check = async (t: ExecutionContext, asked: Asked, failing: Pick<Failing, "origin" | "more">) => {
    // On a busy machine, a database operation may take longer than this API or a command waits, with another message.
    const isLate = ({ code, text }: { code?: number | undefined; text: string }) =>
      ("command" in asked ? saysAway.test(text) : code === 503) &&
      !(code === asked.ends && asked.says.every((said) => said.test(text)));
    let seen = await ask(asked, failing);
    for (let attempt = 1; isLate(seen) && attempt < MAX_ATTEMPTS; attempt += 1) {
      await setTimeout(RETRY_MS);
      seen = await ask(asked, failing);
    }
    const { code, text } = seen;
    const name = "command" in asked ? [asked.command, ...(asked.args ?? [])].join(" ") : `${asked.path} by ${asked.by}`;
    t.is(code, asked.ends, `${name}: ${text.slice(0, MAX_SHOWN)}`);
    for (const said of asked.says) t.regex(text, said, name);
    t.notRegex(text, NEVER, name);
  };

  /**
   * Starts a command that keeps trying until the database is back. Returns a function to call at that point, which completes
   * the command's check.
   */
  const begin = async (t: ExecutionContext, { outlasts, says, after }: Lasting, { more }: Failing) => {
    const started = (opened.installation as Installation).start(outlasts, more);
    await eventually(`${outlasts[0]} says why it waits`, async () => says.test(started.output()));
    return async () => {
      t.is(await (after ? started.ended : started.terminate().then(({ code }) => code)), 0, started.output());
      if (after) t.regex(started.output(), after);
      t.notRegex(started.output(), NEVER);
    };
  };

  test.serial("an operator gets from an empty installation to a price list on a label", async (t) => {
    const installation = await openInstallation();
    opened.installation = installation;
    const { reachingCommand: command, origin } = installation;
    const done = ({ code, out, err }: Ended): string => {
      t.is(code, 0, `${out}${err}`);
      return out.trim();
    };
    t.regex(done(await command("release")), /^the collection "journal" has the index /m);
    t.regex(done(await command("admin", ["apply", "docs/installation.json"])), /corner/);
    const scope = "items:read items:write labels:read labels:write";
    const user = ["add", "till-7", "--tenant", "corner", "--stores", "first", "--scope", scope];
    const password = done(await command("api-user", user)).split("\n")[1] ?? "";
    const operator = done(await command("token", ["--scope", "platform"]));
    const office = done(await command("token", ["--tenant", "corner"]));
    await saveDesign(`${origin}/t/corner/api/management/v1`, office);
    writeFileSync(join(folder, "list.csv"), "itemId,itemName,price\n1,Milk,1.00\n");
    const mapping = { itemId: "itemId", itemName: "itemName", price: "price" };
    writeFileSync(join(folder, "mapping.json"), JSON.stringify(mapping));
    const list = ["list.csv", "--mapping", "mapping.json", "--tenant", "corner", "--store", "first"];
    t.regex(
      done(await command("import", list)),
      /^1 rows in [\d.]+ s: 1 stored \(1 new\), 1 linked, 1 acknowledged, 0 failed$/m,
    );
    const browser = openBrowser(origin, {});
    opened.tokens = { office };
    opened.sessions = {
      operator: await browser.logIn({ token: operator }),
      office: await browser.logIn({ token: office }),
      shop: await browser.logIn({ name: "till-7", password }),
    };
    for (const asked of healthy) await check(t, asked, { origin, more: {} });
  });

  test.serial("commands that measure and check do real work on the installation, with JSON output", async (t) => {
    const { reachingCommand: command, labels } = opened.installation as Installation;
    const data = async (name: string, args: readonly string[], code = 0) => {
      const ended = await command(name, [...args, "--json"]);
      t.is(ended.code, code, ended.err);
      return JSON.parse(ended.out);
    };
    const audit = await data("audit", ["--tenant", "corner", "--store", "first"]);
    t.true(audit.queues.length > 0);
    const users = await data("api-user", ["list"]);
    t.like(users.users, [{ name: "till-7", tenant: "corner", isTenantRemoved: false }]);
    const day = [
      "--stores",
      "1",
      "--labels",
      "1",
      "--for",
      "1s",
      "--wait",
      "10m",
      "--urgent",
      "1/s",
      "--lists",
      "0",
      "--flashes",
      "0",
    ];
    t.is((await data("load", day)).report.kinds.urgent.incomplete, 0);
    writeFileSync(join(folder, "mine.json"), JSON.stringify(prices));
    const drawn = await data("designs", [
      "mine.json",
      "list.csv",
      "--mapping",
      "mapping.json",
      "--output",
      "drawn.html",
    ]);
    t.deepEqual(drawn.failures, []);
    t.regex(readFileSync(join(folder, "drawn.html"), "utf8"), /Milk/);
    // The emulator reports to the installation, so the check receives no report.
    const quick = ["--secret", "hush".repeat(4), "--patience", "1", "--settle", "1", "--away", "1"];
    const { verdicts } = await data("label-server-check", [labels, ...quick], 1);
    t.like(
      verdicts.find(({ rule }: { rule: string }) => rule === "picture-accepted"),
      { result: "passed" },
    );
  });

  test.serial("the connectors do real work on the installation until they are stopped", async (t) => {
    const { start } = opened.installation as Installation;
    const store = ["--tenant", "corner", "--store", "first"];
    mkdirSync(join(folder, "prices"));
    writeFileSync(join(folder, "prices/list.csv"), "itemId,itemName,price\n1,Milk,1.05\n");
    const watch = [
      "scripts/shelfwire.mjs",
      "watch",
      "prices",
      "--mapping",
      "mapping.json",
      "--still-for",
      "1",
      ...store,
    ];
    const watching = start(watch);
    const done = join(folder, "prices/done");
    const report = await eventually(
      "the file is applied",
      async () => existsSync(done) && readdirSync(done).find((name) => name.endsWith("list.csv.report.csv")),
    );
    t.regex(readFileSync(join(done, report), "utf8"), /,SUCCESS/);
    t.is((await watching.terminate()).code, 0, watching.output());

    const broker = await openMosquitto({ users: { home: "hush".repeat(2) } });
    t.teardown(() => broker.close());
    writeFileSync(join(folder, "broker-password"), "hush".repeat(2));
    const home = await connectAsync(broker.url, { username: "home", password: "hush".repeat(2) });
    t.teardown(() => home.endAsync(true));
    const topics: string[] = [];
    home.on("message", (topic) => void topics.push(topic));
    await home.subscribeAsync("homeassistant/device/+/config");
    const access = ["--broker", broker.url, "--broker-user", "home", "--broker-password-file", "broker-password"];
    const bridge = start(["scripts/shelfwire.mjs", "home-assistant", ...access, ...store]);
    await eventually("the label is a device", async () => topics.length > 0);
    t.is((await bridge.terminate()).code, 0, bridge.output());
  });

  for (const { title, fail, log, asked, lasting = [] } of situations)
    test.serial(
      `while ${title}, commands and pages say so in words, and the log names the setting, host and remedy`,
      async (t) => {
        const installation = opened.installation as Installation;
        const failing = await installation.failures[fail]();
        const written = failing.web === installation.all ? failing.web.output().length : 0;
        const ends: (() => Promise<void>)[] = [];
        try {
          // Wait until the cached result of an earlier database check has expired.
          await setTimeout(READY_TTL_MS);
          // Every page is checked, but only the first command, since each command is a separate process and all of them print
          // the same sentences.
          const isPage = (one: Asked) => !("command" in one);
          const tried = casesToTry(t, asked, { size: 0, always: isPage }, "commands and pages");
          await Promise.all(tried.map((one) => check(t, one, failing)));
          const logged = () => failing.web.output().slice(written);
          await eventually("the log says it", async () => log.every((line) => line.test(logged())));
          // One after another, since a command gives up after a while, and another process may need long to start.
          for (const one of lasting) ends.push(await begin(t, one, failing));
          t.notRegex(logged(), NEVER);
        } finally {
          await failing.restore();
        }
        await eventually("both databases are reachable again", async () => {
          const ready = await (await fetch(`${installation.origin}/readyz`)).text();
          return ready === '{"status":"ready","mongodb":"ready","redis":"ready"}';
        });
        await Promise.all(ends.map((end) => end()));
      },
    );
}

const price = {
  ...{ kind: "price", x: 4, y: 40, width: 288, height: 84, font: "bold", size: 80, color: "black" },
  value: "${item.price}",
};
/** The design in docs/operations/install.md. */
const prices = { name: "Prices", width: 296, height: 128, background: "white", elements: [price] };

/** Stores the design, and the rules that choose it. */
async function saveDesign(base: string, token: string): Promise<void> {
  const scenarios = [{ name: "Price", design_ids: ["prices"] }];
  for (const [method, path, body] of [
    ["PUT", "/canvas-designs/prices", prices],
    ["PUT", "/designs/prices", { name: "Prices", canvasId: "prices", compatible_esltype_ids: [1328] }],
    ["PUT", "/communication-packs/prices", { name: "Prices", scenarios }],
    ["POST", "/communication-packs/prices/activate", undefined],
  ] as const) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const send = () => fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const answer = await untilTaken(send);
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  }
}
