// Servers in containers, if Docker or Podman runs.
import { spawnSync } from "node:child_process";
import { which } from "./programs.mjs";

const ANSWER_WITHIN_MS = 10_000;

/** Returns Docker or Podman, whichever is installed and responds. */
export const containerEngine = () =>
  ["docker", "podman"].find(
    (engine) =>
      which(engine) && spawnSync(engine, ["info"], { stdio: "ignore", timeout: ANSWER_WITHIN_MS }).status === 0,
  );

/**
 * Returns the arguments that run a server in a container with this name, on a port of this machine only. `folder` has the
 * same path in the container, and belongs to this user.
 * @param {{ name: string, image: string, port: number, folder?: string | undefined, command: readonly string[] }} server
 */
export const containerArguments = ({ name, image, port, folder, command }) => [
  ...["run", "--rm", "--name", name, "--publish", `127.0.0.1:${port}:${port}`],
  ...(folder ? ["--volume", `${folder}:${folder}`, "--user", `${process.getuid?.()}:${process.getgid?.()}`] : []),
  image,
  ...command,
];
