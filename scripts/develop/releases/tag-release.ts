import { execFileSync } from "node:child_process";

/**
 * Tags the commit of a release in the repository of this folder, as `v0.2.0`; returns what it did. An existing tag is
 * not changed: it may have been pushed.
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
  git(
    "-c",
    "user.name=release",
    "-c",
    "user.email=release@localhost",
    "tag",
    "-a",
    name,
    commit,
    "-m",
    `Shelfwire ${version}`,
  );
  return `${name} is its tag now; publish it with git push origin ${name}`;
}
