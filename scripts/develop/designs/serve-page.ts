import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A page that is served while it is watched. */
export interface ServedPage {
  address: string;
  /** Makes every open window show the page's file, which has changed. */
  announce(): void;
  close(): void;
}

/**
 * Serves a page's file on a free port of this machine, and announces its changes as server-sent events. So a window replaces
 * the pictures and keeps its place, its zoom and its grid.
 */
export async function servePage(file: string): Promise<ServedPage> {
  const windows = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    if (request.url === "/changes") {
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
      response.write("retry: 1000\n\n");
      windows.add(response);
      response.on("close", () => windows.delete(response));
      return;
    }
    readFile(file).then(
      (page) => response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(page),
      (error: Error) => response.writeHead(404, { "Content-Type": "text/plain" }).end(error.message),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    announce() {
      for (const window of windows) window.write("data: changed\n\n");
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
