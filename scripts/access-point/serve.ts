import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Behaviour, comparable, createAccessPoint } from "./access-point.ts";
import { listed } from "./tag.ts";
import { tagTypes } from "./tag-types.ts";
import { serveMessages } from "./websocket.ts";

const TAGS_PER_PAGE = 20;
const POSITIONS = 256;
const PATTERN = /^[0-9a-f]{24}$/i;

type Answer = [status: number, body: string | object];

/** Serves an emulated access point on a port of this machine; 0 means any free port. */
export async function serveAccessPoint(
  behaviour: Behaviour,
  port = 0,
  host = "127.0.0.1",
  onUpload: Parameters<typeof createAccessPoint>[2] = () => {},
) {
  const server = createServer(async (request, response) => {
    const [status, body] = await answer(request).catch((error: Error): Answer => [500, error.message]);
    const isText = typeof body === "string";
    response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json" });
    response.end(isText ? body : JSON.stringify(body));
  });
  const messages = serveMessages(server, "/ws");
  const accessPoint = createAccessPoint(behaviour, (message) => messages.send(JSON.stringify(message)), onUpload);

  async function answer(request: IncomingMessage): Promise<Answer> {
    accessPoint.settle();
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://access-point");
    const call = `${request.method} ${pathname}`;
    const mac = comparable(searchParams.get("mac") ?? "");
    if (call === "POST /imgupload") return upload(request);
    if (call === "GET /get_db") return list(mac, Number(searchParams.get("pos") ?? 0));
    if (call === "GET /led_flash") return flash(mac, searchParams.get("pattern") ?? "");
    if (call === "GET /emulator/totals") return [200, accessPoint.totals];
    const [, type] = /^\/tagtypes\/([0-9A-F]{2})\.json$/.exec(pathname) ?? [];
    const known = tagTypes.get(Number.parseInt(type ?? "", 16));
    return known ? [200, known] : [404, "not found"];
  }

  async function upload(request: IncomingMessage): Promise<Answer> {
    const body = new Uint8Array(await buffer(request));
    const headers = { "content-type": request.headers["content-type"] ?? "" };
    const form = await new Response(body, { headers }).formData();
    const [first] = form.keys();
    const image = form.get("image");
    if (first !== "mac" || !(image instanceof Blob)) return [400, "mac must come before image"];
    // Dithering is on unless a caller switches it off, and it changes exact pixels.
    if (form.get("dither") !== "0") return [400, "this emulator does not dither"];
    return accessPoint.upload(
      comparable(String(form.get("mac"))),
      Buffer.from(await image.arrayBuffer()),
      () => request.socket.destroyed,
    );
  }

  function list(mac: string, position: number): Answer {
    const all = [...accessPoint.tags.values()];
    if (mac !== comparable("")) return [200, { tags: all.filter((tag) => tag.mac === mac).map(listed) }];
    const from = position % POSITIONS;
    const tags = all.slice(from, from + TAGS_PER_PAGE).map(listed);
    const next = from + TAGS_PER_PAGE;
    return [200, { tags, ...(next < all.length && { continu: next % POSITIONS }) }];
  }

  function flash(mac: string, pattern: string): Answer {
    const tag = accessPoint.tags.get(mac);
    if (tag === undefined || !PATTERN.test(pattern)) return [400, "bad mac or pattern"];
    tag.flash = pattern;
    return [200, "ok"];
  }

  await new Promise<void>((resolve, reject) => server.once("error", reject).listen({ port, host }, resolve));
  return {
    ...accessPoint,
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    dropSockets: messages.drop,
    reboot(): void {
      accessPoint.reboot();
      // The sockets are dropped after the message has been sent.
      setImmediate(messages.drop);
    },
    async close(): Promise<void> {
      accessPoint.close();
      messages.drop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
