import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, firstThatWorks, run, say, which } from "../../prepare/programs.mjs";

const VERSION = "v3.22.0";
const folder = join(cacheFolder(), `helm-${VERSION}`);

/** Returns the path of an existing helm: on PATH, or built earlier by obtainHelm. */
export const presentHelm = (): string | undefined =>
  which("helm") ?? [join(folder, "helm")].find((path) => existsSync(path));

/** Returns the path of helm: an existing one, or one that Go builds, which takes minutes the first time. */
export function obtainHelm(): string {
  const program = firstThatWorks([presentHelm, built]);
  if (program !== undefined) return program;
  throw new Error("helm is missing: put it on PATH, from a package manager or from helm.sh");
}

function built(): string | undefined {
  const go = which("go");
  if (go === undefined) return undefined;
  say(`building helm ${VERSION} with Go, once`);
  mkdirSync(folder, { recursive: true });
  run(go, ["install", `helm.sh/helm/v3/cmd/helm@${VERSION}`], { env: { ...process.env, GOBIN: folder } });
  return presentHelm();
}
