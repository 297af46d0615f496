import { connect } from "node:net";
import test from "ava";
import { MAX_HEADERS_BYTES } from "../../../api/middleware/check-headers.ts";
import { servedStack } from "../../harness/served-stack.ts";

const shelfwire = servedStack({ workers: [] });

/** Sends a call with these lines as headers; returns everything that arrives until the connection ends for any reason. */
function send(path: string, lines: readonly string[]): Promise<string> {
  const { hostname, port, host } = new URL(shelfwire.origin);
  const socket = connect(Number(port), hostname);
  const head = [`GET ${path} HTTP/1.1`, `Host: ${host}`, "Connection: close", ...lines];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  return new Promise((resolve) => {
    socket.once("error", () => {}).once("close", () => resolve(answer));
  });
}

const authorization = async () => `Authorization: Bearer ${await shelfwire.token()}`;
const path = () => `${new URL(shelfwire.base).pathname}/labels?filter[barcode]=${"A4XXXXXXXXXX13280,".repeat(5_000)}A`;

test("headers may have 16 KiB, and a long address counts separately", async (t) => {
  t.regex(
    await send(path(), [await authorization(), `A: ${"x".repeat(MAX_HEADERS_BYTES - 2_000)}`]),
    /^HTTP\/1\.1 200 /,
  );
  const answer = await send(path(), [await authorization(), `A: ${"x".repeat(MAX_HEADERS_BYTES)}`]);
  t.regex(answer, /^HTTP\/1\.1 431 /);
  t.regex(answer, /"type":"\/problems\/headers-too-large"/);
});

for (const [what, lines] of [
  ["many headers", Array.from({ length: 900 }, (_, index) => `H${index}: ${"x".repeat(20)}`)],
  ["too many headers", Array.from({ length: 20_000 }, () => "A: b")],
  ["headers without values", Array.from({ length: 1_001 }, () => "A:")],
] as const) {
  test(`${what} return 431`, async (t) => {
    t.regex(await send("/healthz", lines), /^HTTP\/1\.1 431 /);
  });
}
