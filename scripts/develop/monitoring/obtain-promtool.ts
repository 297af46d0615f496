import { join } from "node:path";
import { unpackDebian } from "../../prepare/debian.mjs";
import { firstThatWorks, run, which } from "../../prepare/programs.mjs";

/** Returns the path of promtool: on PATH, unpacked from Debian's package, which does not require root, or from brew. */
export function obtainPromtool(): string {
  const program = firstThatWorks([() => which("promtool"), unpacked, withBrew]);
  if (program !== undefined) return program;
  throw new Error(
    "promtool is missing: put it on PATH; it is part of Prometheus, available from package managers or from prometheus.io",
  );
}

function unpacked(): string | undefined {
  const tree = unpackDebian("prometheus", ["prometheus"]);
  return tree && join(tree, "usr/bin/promtool");
}

function withBrew(): string | undefined {
  if (!which("brew")) return undefined;
  run("brew", ["install", "prometheus"]);
  return which("promtool");
}
