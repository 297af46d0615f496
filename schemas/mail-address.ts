import { MAX_ADDRESS } from "./notification.ts";

const MAX_LOCAL = 64;
/** An unquoted local part (letters, digits, punctuation), then a domain. No character can start another header or recipient. */
const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Whether a string is the address of one mailbox, such as ana@chain.example. */
export const isMailAddress = (text: string): boolean =>
  text.length <= MAX_ADDRESS && text.lastIndexOf("@") <= MAX_LOCAL && ADDRESS.test(text);

/** An address with the name that mail programs show. */
export interface Sender {
  name: string;
  address: string;
}

/** Reads a sender such as `labels@chain.example` or `Shelfwire <labels@chain.example>`; undefined if the text is not valid. */
export function senderOf(text: string): Sender | undefined {
  const [, name = "", inner] = /^([^<>"\p{Cc}]{0,128})<([^<>]+)>$/u.exec(text.trim()) ?? [];
  const address = inner ?? text.trim();
  return isMailAddress(address) ? { name: name.trim(), address } : undefined;
}

/** A mail server, as a setting names it. */
export interface MailServer {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS if the server offers it. */
  isSecure: boolean;
  auth?: { user: string; pass: string };
}

const DEFAULT_PORTS = { "smtp:": 587, "smtps:": 465 } as const;

/** Reads a mail server's address such as `smtp://user:password@mail.example:587`; undefined if the text is not valid. */
export function mailServerOf(text: string): MailServer | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if ((protocol !== "smtp:" && protocol !== "smtps:") || hostname === "") return undefined;
  if (!["", "/"].includes(pathname) || search !== "" || hash !== "") return undefined;
  try {
    const auth =
      username === "" ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } };
    const host = hostname.replace(/^\[|\]$/g, "");
    return { host, port: Number(port || DEFAULT_PORTS[protocol]), isSecure: protocol === "smtps:", ...auth };
  } catch {
    // The text contains a percent sign that encodes nothing.
    return undefined;
  }
}
