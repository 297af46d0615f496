import test from "ava";
import { needsOf, planInstallation, unfittingPackages } from "../../../scripts/prepare/dependencies.mjs";

const locked = {
  "": { version: "1.0.0" },
  "node_modules/koa": { version: "3.0.0" },
  "node_modules/ava": { version: "8.0.0", dev: true },
  "node_modules/fsevents": { version: "2.0.0", optional: true },
  "node_modules/client": { link: true },
};

const packages: [rule: string, installed: object, withDevelopment: boolean, unfitting: string[]][] = [
  ["a production install has every dependency of the product", { "node_modules/koa": { version: "3.0.0" } }, false, []],
  [
    "a production install lacks development dependencies",
    { "node_modules/koa": { version: "3.0.0" } },
    true,
    ["node_modules/ava"],
  ],
  ["another version does not fit", { "node_modules/koa": { version: "2.0.0" } }, false, ["node_modules/koa"]],
  ["an empty install lacks all packages except optional ones", {}, true, ["node_modules/koa", "node_modules/ava"]],
];
for (const [rule, installed, withDevelopment, unfitting] of packages)
  test(rule, (t) => t.deepEqual(unfittingPackages(locked, installed as typeof locked, withDevelopment), unfitting));

const commands: [
  entry: string,
  present: { isInstalled: boolean; isOurs: boolean; isComplete: boolean },
  plan: ReturnType<typeof planInstallation>,
][] = [
  ["scripts/operate/admin.ts", { isInstalled: false, isOurs: false, isComplete: false }, "install"],
  ["scripts/operate/admin.ts", { isInstalled: true, isOurs: false, isComplete: true }, "run"],
  ["scripts/operate/admin.ts", { isInstalled: true, isOurs: false, isComplete: false }, "refuse"],
  ["scripts/operate/admin.ts", { isInstalled: true, isOurs: true, isComplete: false }, "refuse"],
  ["scripts/label-server/process.ts", { isInstalled: true, isOurs: true, isComplete: false }, "refuse"],
  ["scripts/start/start.ts", { isInstalled: true, isOurs: true, isComplete: false }, "install"],
  ["scripts/develop/designs.ts", { isInstalled: true, isOurs: false, isComplete: false }, "refuse"],
];
for (const [entry, present, plan] of commands)
  test(`${entry} ${plan}s if ${JSON.stringify(present)}`, (t) =>
    t.is(planInstallation({ ...present, mayInstall: needsOf(entry).mayInstall }), plan));
