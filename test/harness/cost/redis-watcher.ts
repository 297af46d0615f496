import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Redis } from "ioredis";

/** One command that Redis executed. */
export interface RedisCommand {
  name: string;
  /** The command's first argument or, for a script, its first key. */
  key: string;
  /** Whether a script issued the command. */
  isInScript: boolean;
  arguments: readonly string[];
}

/**
 * Reads the commands that Redis executes for all clients except a test's own connection. It uses a plain socket, since ioredis
 * mistakes a command for the response to MONITOR if both arrive together.
 */
export function watchRedis(url: string, own: Redis) {
  const { localPort } = own.stream as Socket;
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write("MONITOR\r\n");
  let commands: RedisCommand[] = [];
  let last: string | undefined;
  createInterface({ input: socket }).on("line", (line) => {
    const source = /\[\d+ ([^\]]*)\]/.exec(line)?.[1] ?? "";
    const words = Array.from(line.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, word = ""]) => word);
    const [name = "", ...rest] = words;
    if (name.toLowerCase() === "echo") last = rest[0];
    if (name === "" || source.endsWith(`:${localPort}`)) return;
    const key = /^eval/i.test(name) ? (rest[2] ?? "") : (rest[0] ?? "");
    commands.push({ name: name.toLowerCase(), key, isInScript: source === "lua", arguments: rest });
  });
  return {
    /** Returns the commands since the last call, once Redis has shown all of them. */
    async take(): Promise<RedisCommand[]> {
      const mark = String(Math.random());
      // Sent again, since it may arrive before Redis starts to show commands.
      while (last !== mark) {
        await own.echo(mark);
        await new Promise((shown) => setTimeout(shown, 1));
      }
      const taken = commands;
      commands = [];
      return taken;
    },
    close: () => socket.destroy(),
  };
}
