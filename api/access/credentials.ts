/** The content of an HTTP Basic header. */
export interface Credentials {
  userName: string;
  password: string;
}

/** The HTTP Basic challenge (RFC 7617). */
export const BASIC_CHALLENGE = 'Basic realm="shelfwire", charset="UTF-8"';

/** Name and password from an Authorization header; undefined if it contains none that can be decoded. */
export function credentialsOf(header: string): Credentials | undefined {
  const [, packed = ""] = /^Basic +([\w+/=-]+)$/i.exec(header) ?? [];
  const text = Buffer.from(packed, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { userName: text.slice(0, colon), password: text.slice(colon + 1) };
}
