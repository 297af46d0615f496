import { connect, createServer, type Socket } from "node:net";
import type { Document } from "mongodb";
import { answerTo, type Command, commandOf, createFramer } from "./wire-protocol.ts";

/** MongoDB commands that the proxy answers, so that they do not reach the server. */
export interface Answered {
  matches(command: Command): boolean;
  /** The response to each command. */
  document: Document;
  /** How many commands get this response. Later ones reach the server. */
  times: number;
}

/** A connection between a client and its server that can fail. */
export interface DatabaseProxy {
  /** The server's URL through this proxy. */
  url: string;
  /** Holds back everything in both directions, like a stopped server or a network that swallows packets. */
  hold(): void;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  /** Lets everything through again. What was held back arrives late. */
  restore(): void;
  /** Answers the next commands that match, in place of the server. Returns how many of them are still expected. */
  answer(order: Answered): () => number;
  /** Stops answering commands: every command reaches the server. */
  answerNothing(): void;
  /** Returns how many bytes the server has sent in responses so far. */
  answered(): number;
  close(): Promise<void>;
}

/** Sees every message that passes between a client and MongoDB, complete and in order. */
export interface MessageWatcher {
  sent(message: Buffer): void;
  answered(message: Buffer): void;
}

/** The two connections of a client through the proxy. */
interface Pair {
  client: Socket;
  server: Socket;
}

/** Forwards connections to the server at `url` through its own port. */
export async function openProxy(url: string, watcher?: MessageWatcher): Promise<DatabaseProxy> {
  const { hostname, port, protocol } = new URL(url);
  const isMongo = protocol === "mongodb:";
  const pairs = new Set<Pair>();
  let mode: "through" | "held" | "cut" = "through";
  let answered = 0;
  let orders: Answered[] = [];

  /** Returns the proxy's own response to a message. Undefined if the message is passed to the server. */
  function answerOf(message: Buffer): Buffer | undefined {
    if (orders.length === 0) return undefined;
    const command = commandOf(message);
    const order = command && orders.find(({ matches }) => matches(command));
    if (command === undefined || order === undefined) return undefined;
    order.times -= 1;
    orders = orders.filter(({ times }) => times > 0);
    return answerTo(command, order.document);
  }

  const proxy = createServer((client) => {
    if (mode === "cut") {
      client.destroy();
      return;
    }
    const pair = { client, server: connect(Number(port), hostname) };
    pairs.add(pair);
    endTogether(pair, () => pairs.delete(pair));
    client.on("data", forwardTo(pair));
    pair.server.on("data", (data) => {
      answered += data.length;
    });
    passBack(pair, watcher);
    if (mode === "held") pause(pair);
  });

  /** Passes the client's data to the server, except for commands that the proxy answers itself. */
  function forwardTo({ client, server }: Pair): (data: Buffer) => void {
    const frame = createFramer();
    return (data) => {
      if (!isMongo) return void server.write(data);
      for (const message of frame(data)) {
        watcher?.sent(message);
        const answer = answerOf(message);
        if (answer) client.write(answer);
        else server.write(message);
      }
    };
  }

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
    answer(order) {
      const own = { ...order };
      orders.push(own);
      return () => own.times;
    },
    answerNothing() {
      orders = [];
    },
    answered: () => answered,
    async close() {
      destroyAll();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

const pause = ({ client, server }: Pair): void => {
  client.pause();
  server.pause();
};

/** Destroys both connections when one of them ends. */
function endTogether({ client, server }: Pair, onEnd: () => void): void {
  const end = () => {
    onEnd();
    client.destroy();
    server.destroy();
  };
  for (const socket of [client, server]) socket.on("error", end).on("close", end);
}

/** Passes the server's data to the client. */
function passBack({ client, server }: Pair, watcher: MessageWatcher | undefined): void {
  const frame = createFramer();
  server.on("data", (data) => {
    if (watcher) for (const message of frame(data)) watcher.answered(message);
    client.write(data);
  });
}
