import { once } from "node:events";
import { connect } from "node:net";

export interface RecordedAnswer {
  status: number;
  headers: Headers;
  /** The body as received, without its chunk framing. */
  text: string;
}

/**
 * Sends the bytes of a recorded request to a server, in the recorded order and spelling, and reads the response. Lines end in
 * CRLF; the body is what follows the first empty line. `{length}` in a header is replaced by the body's length in bytes.
 */
export async function sendRecorded(origin: string, recording: string): Promise<RecordedAnswer> {
  const { hostname, port, host } = new URL(origin);
  const [head = "", body = ""] = split(recording.replace(/^\n/, ""), "\n\n");
  const headers = head
    .replace("{length}", String(Buffer.byteLength(body)))
    .replace("{host}", host)
    .replaceAll("\n", "\r\n");
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(`${headers}\r\n\r\n${body}`);
  let bytes = Buffer.alloc(0);
  for await (const part of socket) {
    bytes = Buffer.concat([bytes, part as Buffer]);
    const answer = answerOf(bytes, head.startsWith("HEAD "));
    if (answer) return answer;
  }
  throw new Error(`the connection ended after ${bytes.toString()}`);
}

/** Returns the whole response; undefined while a part of it is missing. */
function answerOf(bytes: Buffer, hasNoBody: boolean): RecordedAnswer | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [statusLine = "", ...lines] = bytes.subarray(0, end).toString().split("\r\n");
  const status = Number(statusLine.split(" ")[1]);
  const headers = new Headers(lines.map((line) => split(line, ":") as [string, string]));
  const rest = bytes.subarray(end + 4);
  if (hasNoBody || status === 204 || status === 304) return { status, headers, text: "" };
  if (headers.get("transfer-encoding") === "chunked") {
    if (!rest.toString().endsWith("0\r\n\r\n")) return undefined;
    return { status, headers, text: rest.toString().replace(/(^|\r\n)[0-9a-f]+\r\n/g, "") };
  }
  if (rest.length < Number(headers.get("content-length"))) return undefined;
  return { status, headers, text: rest.toString() };
}

function split(text: string, at: string): [string, string] {
  const place = text.indexOf(at);
  return place < 0 ? [text, ""] : [text.slice(0, place), text.slice(place + at.length)];
}
