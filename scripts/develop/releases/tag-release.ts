import { execFileSync } from "node:child_process";

/**
 * Tags the commit of a release in this folder's repository, for example as `v0.2.0`. The tag is signed if git has a key
 * (`user.signingKey`). Returns what it did. An existing tag is not changed, because it may have been pushed.
 */
export function tagRelease(version: string, commit: string, folder?: string): string {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8", cwd: folder }).trim();
  const name = `v${version}`;
  if (git("tag", "--list", name) !== "") {
    const tagged = git("rev-list", "-n", "1", name);
    return tagged === git("rev-parse", commit)
      ? `${name} already is its tag`
      : `${name} is the tag of another commit, ${tagged}, and is not changed`;
  }
  // The release workflow publishes only signed tags. Without a key, a release can still be recorded.
  const isSigned = git("config", "--default", "", "--get", "user.signingKey") !== "";
  const identity = isSigned ? [] : ["-c", "user.name=release", "-c", "user.email=release@localhost"];
  git(...identity, "tag", isSigned ? "--sign" : "--annotate", name, commit, "-m", `Shelfwire ${version}`);
  return `${name} is its ${isSigned ? "signed tag" : "tag, without a signature,"} now; publish it with git push origin ${name}`;
}
