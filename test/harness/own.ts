import test from "ava";
import type { OpenDatabase } from "./databases/database.ts";
import type { Options, Shelfwire } from "./shelfwire.ts";
import type { ASystem } from "./system.ts";
import type { Host } from "./threads/host.ts";

// Each opener is loaded on use, so that a file that needs only a database does not load the API.

/**
 * Opens a Shelfwire for this file alone, so that it may inspect it, break it or change its settings. Its databases, its label
 * server and their proxies are in the file's thread. Its API and its workers run in a warm thread that other files used before,
 * or in the file's own thread (`where`) if the file changes what they hold in memory. Once all tests have passed, its stages
 * are audited: nothing may be stale. What its API states about a label must match the label's glass.
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

/** Opens the resources that every process has, for this file only. */
export const ownSystem = (): ASystem => openWithFile(async () => (await import("./system.ts")).openASystem());

/** Opens an empty database of this file's own. */
export const ownDatabase = (): OpenDatabase =>
  openWithFile(async () => (await import("./databases/database.ts")).openADatabase());

/** Opens resources for the file's tests and closes them afterwards. The object has no members until it is open. */
function openWithFile<T extends { close(): Promise<void> }>(open: () => Promise<T>): T {
  const opened: Partial<T> = {};
  test.serial.before(async () => void Object.assign(opened, await open()));
  test.after.always(() => opened.close?.());
  return opened as T;
}
