import { aptInstall } from "../../prepare/debian.mjs";
import { which } from "../../prepare/programs.mjs";

const programs = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** The path of a Chromium: one on PATH, or Debian's where apt-get may install it; undefined where there is none to be had. */
export function obtainChromium(): string | undefined {
  return programOnPath() ?? (aptInstall(["chromium"]) ? programOnPath() : undefined);
}

const programOnPath = (): string | undefined => programs.map(which).find((path) => path !== undefined);
