import { existsSync } from "node:fs";
import { join } from "node:path";
import { unpackDebian, wrapperOf } from "../../prepare/debian.mjs";
import { say, which } from "../../prepare/programs.mjs";

/** The headless shell has no windows, and uses a fraction of a browser's processor time. */
const SHELL = "chromium-headless-shell";
const browsers = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/**
 * Returns the path of a Chromium: the headless shell on PATH or from Debian's package, which is unpacked into the cache
 * folder, otherwise a browser on PATH. Undefined if none is available.
 */
export function obtainChromium(): string | undefined {
  return which(SHELL) ?? unpackedShell() ?? browsers.map(which).find((path) => path !== undefined);
}

function unpackedShell(): string | undefined {
  try {
    const tree = unpackDebian(SHELL, [SHELL, "chromium-common"]);
    if (tree === undefined) return undefined;
    // Font settings are unpacked only if the machine has none, because they name the fonts that were unpacked with them.
    const hasFonts = existsSync(join(tree, "etc/fonts/fonts.conf"));
    return wrapperOf(tree, `usr/lib/chromium/${SHELL}`, hasFonts ? { FONTCONFIG_SYSROOT: tree } : {});
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** `npm test` unpacks it before several test files look for it at the same time. */
if (import.meta.main) obtainChromium();
