import { fstatSync } from "node:fs";

/**
 * Returns what is wrong with the channel to this process's launcher; undefined if nothing is. Node uses any
 * descriptor in NODE_CHANNEL_FD: if the value was copied from another process's environment, Node takes over an
 * unrelated descriptor, and the process hangs or ends without an error, at any time.
 */
export function channelFault(): string | undefined {
  const { fd } = (process.channel ?? {}) as { fd?: number };
  if (fd === undefined || fd < 0 || fstatSync(fd).isSocket()) return undefined;
  return `NODE_CHANNEL_FD is set to the descriptor ${fd}, which is not a channel to a launcher: remove it from the environment`;
}
