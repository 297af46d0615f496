import { request } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type HostileBody, hostileBodies, routeOf } from "./hostile-bodies.ts";

/** Where hostile calls are sent, with a token that has all permissions in the tenant. */
export interface Target {
  origin: string;
  /** Base address of a store's public interface. */
  base: string;
  /** Base address of the tenant's management interface. */
  manage: string;
  token: string;
}

/** A hostile caller: makes its calls until all are answered, and returns their statuses. */
export interface HostileSend {
  name: string;
  send(target: Target): Promise<number[]>;
}

const MiB = 2 ** 20;
const KiB = 2 ** 10;
const pack = promisify(gzip);
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

async function sendBody({ operation, make }: Pick<HostileBody, "operation" | "make">, target: Target): Promise<number> {
  const { method, path, of } = routeOf(operation);
  const address = `${of === "tenant" ? target.manage : target.base}${path.replace(/:\w+/g, "hostile")}`;
  return sendPacked(method, address, await pack(make(), { level: 1 }), target.token);
}

async function sendPacked(method: string, address: string, body: Buffer, token: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-encoding": "gzip",
  };
  const answer = await fetch(address, { method, headers, body: body });
  await answer.arrayBuffer();
  return answer.status;
}

/** Returns rows with one item each, 32 MiB in total. */
export const largestRows = (): string =>
  `[${times(19_000, (at) => `{"itemId":"f${at}","properties":{"a":"${"x".repeat(1_700)}"}}`).join(",")}]`;

const flood =
  (make: () => string): HostileSend["send"] =>
  async ({ base, token }) => {
    const body = await pack(make(), { level: 1 });
    return Promise.all(times(24, () => sendPacked("PATCH", `${base}/items`, body, token)));
  };

/** Makes a call and reads only the head of its response until all calls are answered. */
function begin(address: string, headers: Record<string, string>) {
  const call = request(address, { headers, agent: false });
  const status = new Promise<number>((resolve, reject) => {
    call.once("response", ({ statusCode = 0 }) => resolve(statusCode)).once("error", reject);
    call.end();
  });
  return { status, end: () => call.destroy() };
}

async function beginMany(count: number, address: string, headers: Record<string, string>): Promise<number[]> {
  const calls = times(count, () => begin(address, headers));
  const statuses = await Promise.all(calls.map(({ status }) => status));
  for (const { end } of calls) end();
  return statuses;
}

const manyHeaders = (count: number, bytes: number): Record<string, string> =>
  Object.fromEntries(times(count, (at) => [`h${at}`, "x".repeat(bytes)]));

const others: readonly HostileSend[] = [
  { name: "24 packed lists of 32 MiB at once", send: flood(largestRows) },
  { name: "24 packed lists of a million rows at once", send: flood(() => `[${"{},".repeat(999_000)}{}]`) },
  { name: "24 packed bodies of 32 MiB of blanks at once", send: flood(() => " ".repeat(32 * MiB)) },
  {
    name: "100 calls at once with 200 KiB of headers",
    send: ({ base, token }) =>
      beginMany(100, `${base}/items`, { authorization: `Bearer ${token}`, ...manyHeaders(10, 20 * KiB) }),
  },
  {
    name: "100 calls at once with 900 headers",
    send: ({ base, token }) =>
      beginMany(100, `${base}/items`, { authorization: `Bearer ${token}`, ...manyHeaders(900, 10) }),
  },
  {
    name: "50 tails that resume from the first event and read nothing",
    async send({ base, manage, token }) {
      const rows = `[${times(20_000, (at) => `{"itemId":"f${at}","price":"${at % 90}.99"}`).join(",")}]`;
      const sent = await sendPacked("PATCH", `${base}/items`, await pack(rows), token);
      const headers = { authorization: `Bearer ${token}`, "last-event-id": "0-0" };
      return [sent, ...(await beginMany(50, `${manage}/topics/storeitemvalues.v1/tail`, headers))];
    },
  },
];

/** Every hostile body in turn, followed by calls that are hostile in other ways. */
export const hostileSends: readonly HostileSend[] = [
  ...hostileBodies.map((body) => ({
    name: `${body.operation} with ${body.name}`,
    send: async (target: Target) => [await sendBody(body, target)],
  })),
  ...others,
];
