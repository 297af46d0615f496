import { connect, createServer, type Socket } from "node:net";

/** What lies between a client and its server, and can fail. */
export interface StoreProxy {
  /** The server's URL, led through here. */
  url: string;
  /** Holds back everything in both directions, as a server that is stopped or a network that swallows packets. */
  hold(): void;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  /** Lets everything through again; what was held back arrives now, late. */
  restore(): void;
  /** How many bytes the server has answered so far. */
  answered(): number;
  close(): Promise<void>;
}

/** Leads connections to the server of `url` through a port of its own. */
export async function openProxy(url: string): Promise<StoreProxy> {
  const { hostname, port } = new URL(url);
  const pairs = new Set<{ client: Socket; server: Socket }>();
  let mode: "through" | "held" | "cut" = "through";
  let answered = 0;

  const proxy = createServer((client) => {
    if (mode === "cut") {
      client.destroy();
      return;
    }
    const server = connect(Number(port), hostname);
    const pair = { client, server };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on("error", end).on("close", end);
    client.on("data", (data) => server.write(data));
    server.on("data", (data) => {
      answered += data.length;
      client.write(data);
    });
    if (mode === "held") pause(pair);
  });
  const pause = ({ client, server }: { client: Socket; server: Socket }) => {
    client.pause();
    server.pause();
  };
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const through = new URL(url);
  through.hostname = "127.0.0.1";
  through.port = String((proxy.address() as { port: number }).port);
  const destroyAll = () => {
    for (const { client, server } of pairs) {
      client.destroy();
      server.destroy();
    }
  };
  return {
    url: through.href,
    hold() {
      mode = "held";
      for (const pair of pairs) pause(pair);
    },
    cut() {
      mode = "cut";
      destroyAll();
    },
    restore() {
      mode = "through";
      for (const { client, server } of pairs) {
        client.resume();
        server.resume();
      }
    },
    answered: () => answered,
    async close() {
      destroyAll();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
