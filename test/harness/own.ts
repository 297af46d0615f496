import test from "ava";
import type { OpenDatabase } from "./databases/database.ts";
import type { Options, Shelfwire } from "./shelfwire.ts";
import type { ASystem } from "./system.ts";
import type { Host } from "./threads/host.ts";

// Each opener is loaded on use: a file that needs only a database does not load the API.

/**
 * A Shelfwire of this file's own: for files that look into it, break it or set it. Its databases, its label server and
 * their proxies are in the file's thread; its API and its workers in one that is warm from those of other files, or
 * `where` the file opens them itself, since it sets what they hold in memory. Once all tests have passed, its stages
 * are audited and nothing may be stale, and its interface must say of its labels what is on their glass.
 */
export function ownStack(options: Options = {}, where?: Host): Shelfwire {
  const stack = openWithFile(async () => (await import("./shelfwire.ts")).openShelfwire(options, where));
  if (options.leavesStale === undefined)
    test.after(async () => {
      await stack.assertNothingStale();
      await stack.assertStatementsMatchGlass();
    });
  return stack;
}

/** The resources of every process, for this file alone. */
export const ownSystem = (): ASystem => openWithFile(async () => (await import("./system.ts")).openASystem());

/** An empty database of this file's own. */
export const ownDatabase = (): OpenDatabase =>
  openWithFile(async () => (await import("./databases/database.ts")).openADatabase());

/** The resources opened before the file's first test and closed after its last. It has no members before it is open. */
function openWithFile<T extends { close(): Promise<void> }>(open: () => Promise<T>): T {
  const opened: Partial<T> = {};
  test.serial.before(async () => void Object.assign(opened, await open()));
  test.after.always(() => opened.close?.());
  return opened as T;
}
