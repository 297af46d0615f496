import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { wrapperOf } from "../../../scripts/prepare/debian.mjs";

const LIBRARIES = "usr/lib/x86_64-linux-gnu";

test("an unpacked program finds its libraries, including those in a subfolder of their package", async (t) => {
  const tree = await mkdtemp(join(tmpdir(), "shelfwire-tree-"));
  t.teardown(() => rm(tree, { recursive: true }));
  const own = join(tree, LIBRARIES, "pulseaudio");
  for (const folder of [own, join(tree, LIBRARIES, "settings"), join(tree, "usr/bin")])
    await mkdir(folder, { recursive: true });
  await writeFile(join(own, "libpulsecommon-16.1.so"), "");
  await writeFile(join(tree, LIBRARIES, "settings/list.txt"), "");
  await writeFile(join(tree, "usr/bin/program"), '#!/bin/sh\necho "$LD_LIBRARY_PATH $NAME $1"\n', { mode: 0o755 });

  const script = wrapperOf(tree, "usr/bin/program", { NAME: "given" });

  const printed = execFileSync(script, ["argument"], { encoding: "utf8" });
  t.is(printed, `${join(tree, LIBRARIES)}:${own} given argument\n`);
});
