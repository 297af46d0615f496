import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { tagRelease } from "../../../../scripts/develop/releases/tag-release.ts";

test("a release's commit is tagged once, and an existing tag on another commit is kept", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "shelfwire-tags-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
  const commit = (message: string) => {
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD");
  };
  git("init", "--quiet");
  const [first, second] = [commit("one"), commit("two")];
  t.regex(
    tagRelease("1.2.3", first, folder),
    /^v1\.2\.3 is its tag, without a signature, now; publish it with git push origin v1\.2\.3$/,
  );
  t.is(git("rev-list", "-n", "1", "v1.2.3"), first);
  t.is(tagRelease("1.2.3", first, folder), "v1.2.3 already is its tag");
  t.is(tagRelease("1.2.3", second, folder), `v1.2.3 is the tag of another commit, ${first}, and is not changed`);
  t.is(git("rev-list", "-n", "1", "v1.2.3"), first);
});
