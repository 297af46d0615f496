/** A part of a multipart form. */
export interface Part {
  /** The form field. */
  name: string;
  /** Whether the part names a file. */
  isFile: boolean;
  content: Buffer;
}

/** Thrown where a body is not the form that its header promises; the message may be shown. */
export class FormFault extends Error {
  override readonly name = "FormFault";
}

const MAX_PARTS = 20;
const MAX_HEADER_BYTES = 8192;
const LINE = Buffer.from("\r\n");
const BLANK_LINE = Buffer.from("\r\n\r\n");

/** The boundary that a content type names; undefined where it is no multipart form. */
export function boundaryOf(contentType: string): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  return quoted ?? plain;
}

/**
 * The parts of a form that was read as a whole (RFC 7578, RFC 2046 section 5.1.1). They are views of the body: nothing is
 * copied, and nothing is written anywhere.
 */
export function parseForm(body: Buffer, boundary: string): Part[] {
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  // The first delimiter may stand at the very beginning, without a line before it.
  const first = body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2)) ? -2 : body.indexOf(delimiter);
  if (first === -1) throw new FormFault("the boundary that the content type names is not in the body");
  const parts: Part[] = [];
  for (let at = first + delimiter.length; ; ) {
    if (body.toString("latin1", at, at + 2) === "--") return parts;
    const start = body.indexOf(LINE, at) + LINE.length;
    const end = body.indexOf(delimiter, start - LINE.length);
    if (start < LINE.length || end < 0) throw new FormFault("the form breaks off: its last boundary is missing");
    parts.push(partOf(body.subarray(start, Math.max(start, end))));
    if (parts.length > MAX_PARTS) throw new FormFault(`the form has more than ${MAX_PARTS} parts`);
    at = end + delimiter.length;
  }
}

function partOf(bytes: Buffer): Part {
  const end = bytes.indexOf(BLANK_LINE);
  if (end < 0 || end > MAX_HEADER_BYTES) throw new FormFault("a part of the form has no end of its headers");
  const headers = bytes.toString("utf8", 0, end);
  const disposition = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(headers)?.[1] ?? "";
  // Parsed in sequence, because a quoted file name may contain the text of another parameter.
  const parameters = disposition.matchAll(/;\s*([\w*]+)=(?:"([^"]*)"|([^\s;"]*))/g);
  const named = new Map(
    [...parameters].map(([, key = "", quoted, plain]) => [key.toLowerCase(), quoted ?? plain ?? ""]),
  );
  const name = named.get("name");
  if (name === undefined) throw new FormFault("a part of the form has no name");
  const isFile = named.has("filename") || named.has("filename*");
  return { name, isFile, content: bytes.subarray(end + BLANK_LINE.length) };
}
