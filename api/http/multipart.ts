import { Dicer } from "@fastify/busboy";
import { countComputing } from "../../schemas/computing-counts.ts";

/** A part of a multipart form. */
export interface Part {
  /** The form field. */
  name: string;
  /** Whether the part names a file. */
  isFile: boolean;
  content: Buffer;
}

/** Thrown if a body is not the valid form that its header declares; the message may be shown. */
export class FormFault extends Error {
  override readonly name = "FormFault";
}

const MAX_PARTS = 20;
const MAX_HEADER_BYTES = 8192;

/** A part's headers by lower-case name; each byte of a value is a character. */
type Headers = Readonly<Record<string, readonly string[]>>;

/** Returns the boundary that a content type names; undefined if it is not a multipart form. */
export function boundaryOf(contentType: string): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  return quoted ?? plain;
}

/**
 * Parses the parts of a complete form (RFC 7578, RFC 2046 section 5.1.1). Uses Dicer, on which Busboy is built: Busboy
 * itself skips parts that it cannot parse, whereas such a form is rejected here.
 */
export async function parseForm(body: Buffer, boundary: string): Promise<Part[]> {
  const found: { headers?: Headers; chunks: Buffer[] }[] = [];
  const parsed = Promise.withResolvers<void>();
  const breaksOff = () =>
    new FormFault(
      body.includes(`--${boundary}`, 0, "latin1")
        ? "the form is truncated: its final boundary is missing"
        : "the body does not contain the boundary given in the content type",
    );
  const dicer = new Dicer({ boundary });
  dicer.on("part", (stream) => {
    // Thrown inside `end`, so that the remaining parts are not read.
    if (found.length === MAX_PARTS) throw new FormFault(`the form has more than ${MAX_PARTS} parts`);
    const part: (typeof found)[number] = { chunks: [] };
    found.push(part);
    countComputing("formParts");
    stream.on("header", (headers) => {
      part.headers = headers as Headers;
    });
    stream.on("data", (chunk) => part.chunks.push(chunk as Buffer)).on("error", () => {});
  });
  dicer.on("finish", parsed.resolve).on("error", () => parsed.reject(breaksOff()));
  dicer.end(withoutPadding(body, boundary));
  await parsed.promise;
  return found.map(({ headers, chunks }) => ({ ...fieldOf(headers), content: Buffer.concat(chunks) }));
}

/** Removes the spaces and tabs that may follow a boundary on its line; Dicer takes them for a header. */
function withoutPadding(body: Buffer, boundary: string): Buffer {
  if (![" ", "\t"].some((blank) => body.includes(`--${boundary}${blank}`, 0, "latin1"))) return body;
  const delimiter = `\r\n--${boundary}`;
  // The content before the first part, the parts, and the content after the last; a form with more pieces is rejected.
  const pieces = `\r\n${body.toString("latin1")}`.split(delimiter, MAX_PARTS + 2);
  return Buffer.from(pieces.map((piece) => piece.replace(/^[\t ]+(?=\r\n)/, "")).join(delimiter), "latin1");
}

function fieldOf(headers: Headers | undefined): Pick<Part, "name" | "isFile"> {
  if (headers === undefined || bytesOf(headers) > MAX_HEADER_BYTES)
    throw new FormFault("the headers of a part of the form do not end");
  const [value = ""] = headers["content-disposition"] ?? [];
  const disposition = /^form-data\s*(;.*)$/i.exec(Buffer.from(value, "latin1").toString("utf8"))?.[1] ?? "";
  // Parsed in sequence, because a quoted file name may contain the text of another parameter.
  const parameters = disposition.matchAll(/;\s*([\w*]+)=(?:"([^"]*)"|([^\s;"]*))/g);
  const named = new Map(
    [...parameters].map(([, key = "", quoted, plain]) => [key.toLowerCase(), quoted ?? plain ?? ""]),
  );
  const name = named.get("name");
  if (name === undefined) throw new FormFault("a part of the form has no name");
  return { name, isFile: named.has("filename") || named.has("filename*") };
}

/** Size of the header lines, each with a name, a colon, a space, a value and a line break. Dicer keeps at most 80 KiB. */
const bytesOf = (headers: Headers): number =>
  Object.entries(headers)
    .flatMap(([name, values]) => values.map((value) => name.length + value.length + 4))
    .reduce((sum, bytes) => sum + bytes, 0);
