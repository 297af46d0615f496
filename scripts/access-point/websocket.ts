import { createHash } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** RFC 6455, section 1.3. */
const HANDSHAKE_ID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const FINAL_TEXT = 0x81;
const LENGTH_OF_16_BITS = 126;

/** Sends text messages to every client that opens a websocket at a path of a server. Messages from clients are ignored. */
export function serveMessages(server: Server, path: string) {
  const sockets = new Set<Duplex>();
  server.on("upgrade", ({ url, headers }: IncomingMessage, socket: Duplex) => {
    if (url !== path) return socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
    const accept = createHash("sha1").update(`${headers["sec-websocket-key"]}${HANDSHAKE_ID}`).digest("base64");
    const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
    socket.write(`${[...lines, `Sec-WebSocket-Accept: ${accept}`].join("\r\n")}\r\n\r\n`);
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.resume();
    return undefined;
  });
  return {
    send(text: string): void {
      for (const socket of sockets) socket.write(frameOf(text));
    },
    /** Closes every connection without notice. */
    drop(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Returns a frame of at most 65,535 bytes. */
function frameOf(text: string): Buffer {
  const content = Buffer.from(text);
  if (content.length < LENGTH_OF_16_BITS) return Buffer.concat([Buffer.from([FINAL_TEXT, content.length]), content]);
  const head = Buffer.from([FINAL_TEXT, LENGTH_OF_16_BITS, 0, 0]);
  head.writeUInt16BE(content.length, 2);
  return Buffer.concat([head, content]);
}
