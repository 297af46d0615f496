import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { aptInstall } from "../../prepare/debian.mjs";
import { run, which } from "../../prepare/programs.mjs";

const HELP = "put promtool on PATH: it comes with Prometheus, from a package manager or from prometheus.io";

/**
 * Gives the path of promtool: on PATH, or taken out of Debian's package into the user's cache, which needs no root and
 * starts no Prometheus.
 */
export function obtainPromtool(): string {
  const present = which("promtool");
  if (present) return present;
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "shelfwire");
  const program = join(cache, "promtool");
  if (existsSync(program)) return program;
  process.stderr.write("bringing promtool ...\n");
  mkdirSync(cache, { recursive: true });
  try {
    if (which("apt-get")) takeFromDebianPackage(cache, program);
    else run("brew", ["install", "prometheus"]);
  } catch (error) {
    throw new Error(`no promtool (${(error as Error).message}): ${HELP}`);
  }
  return which("promtool") ?? program;
}

function takeFromDebianPackage(cache: string, program: string): void {
  const folder = mkdtempSync(join(cache, "promtool-"));
  try {
    download(folder);
    const [file = ""] = readdirSync(folder);
    run("dpkg-deb", ["--extract", join(folder, file), folder]);
    // Renamed as a whole, so that another process never finds half of it.
    renameSync(join(folder, "usr", "bin", "promtool"), program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function download(folder: string): void {
  const fetchPackage = () => run("apt-get", ["download", "-qq", "prometheus"], { cwd: folder });
  try {
    fetchPackage();
  } catch (error) {
    // Without lists of packages apt-get knows none; only root may have it read them.
    if (!aptInstall(["ca-certificates"])) throw error;
    fetchPackage();
  }
}
