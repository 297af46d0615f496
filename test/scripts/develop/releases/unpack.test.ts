import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import test, { type ExecutionContext } from "ava";
import { recordedReleases } from "../../../../scripts/develop/releases/unpack.ts";
import { unpackRelease } from "../../../harness/processes/last-release.ts";

for (const release of recordedReleases())
  test(`the repository contains the commit of release ${release.version}, unless it is shallow`, (t) => {
    t.notThrows(() => unpackRelease(release));
  });

/** Creates a repository with two commits, and a shallow clone that contains only the second. */
function makeRepositories(t: ExecutionContext) {
  const folder = mkdtempSync(join(tmpdir(), "shelfwire-history-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
  const whole = join(folder, "whole");
  const shallow = join(folder, "shallow");
  const commit = () => {
    git("-C", whole, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", "one");
    return git("-C", whole, "rev-parse", "HEAD");
  };
  git("init", "--quiet", whole);
  const [first, second] = [commit(), commit()];
  git("clone", "--quiet", "--depth", "1", pathToFileURL(whole).href, shallow);
  return { folder, whole, shallow, first, second };
}

test("a release whose commit a shallow clone lacks is reported as missing, with git's reason", (t) => {
  const { folder, shallow, first, second } = makeRepositories(t);
  t.regex(
    unpackRelease({ version: "1.2.3", commit: first }, shallow).missing ?? "",
    /not a tree object|not a valid object/,
  );
  t.is(unpackRelease({ version: "1.2.3", commit: second }, shallow).missing, undefined);
  t.not(unpackRelease({ version: "1.2.3", commit: second }, folder).missing, undefined);
});

test("a release whose commit a full clone lacks is an error, not a reason to skip its tests", (t) => {
  const { whole, first } = makeRepositories(t);
  t.is(unpackRelease({ version: "1.2.3", commit: first }, whole).missing, undefined);
  const lost = "0123456789012345678901234567890123456789";
  t.throws(() => unpackRelease({ version: "1.2.3", commit: lost }, whole), {
    message:
      /^the history does not hold 0123456789012345678901234567890123456789, the commit of release 1\.2\.3; .*1\.2\.3\.json/s,
  });
});
