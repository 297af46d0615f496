import { BSON, type Document } from "mongodb";

/** A command that a client sends to MongoDB, such as `find` on a collection. */
export interface Command {
  /** Id of the message; the response refers to it. */
  requestId: number;
  name: string;
  /** Empty for a command without a collection, such as `hello`. */
  collection: string;
  body: Document;
  /** How many documents are in the command's sequences, in addition to those in its body. */
  documents: number;
  /** Whether the command contains this string, such as the key of a record that it writes. */
  names(text: string): boolean;
}

const OP_MSG = 2013;
const HEADER_BYTES = 16;
const FLAGS_BYTES = 4;
const LENGTH_BYTES = 4;
const BODY_SECTION = 0;

/**
 * Splits the bytes of one connection into complete messages. The rest waits for the next bytes. The parts of a message are
 * joined once, at its end, because a batch of megabytes arrives in dozens of them.
 */
export function createFramer(): (data: Buffer) => Buffer[] {
  let parts: Buffer[] = [];
  let waiting = 0;
  return (data) => {
    parts.push(data);
    waiting += data.length;
    const [first = data] = parts;
    if (first.length >= HEADER_BYTES && waiting < first.readInt32LE(0)) return [];
    let rest = parts.length === 1 ? data : Buffer.concat(parts);
    const messages: Buffer[] = [];
    while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      messages.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    parts = rest.length === 0 ? [] : [rest];
    waiting = rest.length;
    return messages;
  };
}

/**
 * Returns the body of a message, and how many documents its sequences have. Undefined for another kind of message, such as
 * the handshake of older protocols.
 */
function sectionsOf(message: Buffer): { body: Document; documents: number } | undefined {
  if (message.readInt32LE(12) !== OP_MSG) return undefined;
  let body: Document | undefined;
  let documents = 0;
  for (let at = HEADER_BYTES + FLAGS_BYTES; at < message.length; ) {
    const end = at + 1 + message.readInt32LE(at + 1);
    if (message[at] === BODY_SECTION) body = BSON.deserialize(message.subarray(at + 1, end));
    else {
      const first = message.indexOf(0, at + 1 + LENGTH_BYTES) + 1;
      for (let next = first; next < end; next += message.readInt32LE(next)) documents += 1;
    }
    at = end;
  }
  return body && { body, documents };
}

/** Returns the command in a message. Undefined for another kind of message. */
export function commandOf(message: Buffer): Command | undefined {
  const sections = sectionsOf(message);
  if (sections === undefined) return undefined;
  const { body } = sections;
  const [name = "", value] = Object.entries(body)[0] ?? [];
  const collection = name === "getMore" ? body.collection : value;
  return {
    ...sections,
    requestId: message.readInt32LE(4),
    name,
    collection: typeof collection === "string" ? collection : "",
    names: (text) => message.includes(text),
  };
}

/** Returns the message that answers a command with a document. */
export function answerTo({ requestId }: Command, document: Document): Buffer {
  const body = BSON.serialize(document);
  const head = Buffer.alloc(HEADER_BYTES + FLAGS_BYTES + 1);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(requestId, 8);
  head.writeInt32LE(OP_MSG, 12);
  head[HEADER_BYTES + FLAGS_BYTES] = BODY_SECTION;
  return Buffer.concat([head, body]);
}

/** Returns the document by which a server rejects a command, for example during a failover. */
export const refusal = (code: number, codeName = `code ${code}`): Document => ({
  ok: 0,
  code,
  codeName,
  errmsg: `refused by a test: ${codeName}`,
});
