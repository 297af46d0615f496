import type { Context } from "koa";
import { cookieOf } from "../session-cookie.ts";
import type { Transaction } from "./provider.ts";

const PLAIN = "shelfwire-login";
const HOST = `__Host-${PLAIN}`;
/** How long a person may take at the provider. */
const TTL_SECONDS = 600;
const PART_PATTERN = /^[\w-]{20,128}$/;

/** A login in progress, with the page from which it started. */
export type BegunLogin = Transaction & { next: string };

/**
 * Keeps a login in progress in the browser that started it, unreadable to scripts. The cookie is sent when the provider
 * sends the browser back, which `SameSite=Strict` would prevent. `isSecure` says whether browsers reach the pages over
 * https, which not every browser declares when it opens a page.
 */
export function setBegunLogin(context: Context, login: BegunLogin | undefined, isSecure: boolean): void {
  const [name, secure] = isSecure ? [HOST, "; Secure"] : [PLAIN, ""];
  const value = login === undefined ? "" : Buffer.from(JSON.stringify(login)).toString("base64url");
  const seconds = login === undefined ? 0 : TTL_SECONDS;
  context.append("set-cookie", `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
}

/** Returns the login in progress in a browser; undefined if there is none, or its cookie is malformed. */
export function begunLoginOf({ headers }: Pick<Context, "headers">, isSecure: boolean): BegunLogin | undefined {
  const text = cookieOf(headers, isSecure ? HOST : PLAIN);
  try {
    const found = JSON.parse(Buffer.from(text ?? "", "base64url").toString()) as Partial<BegunLogin>;
    const { state = "", nonce = "", verifier = "", next } = found;
    const isWhole =
      [state, nonce, verifier].every((part) => typeof part === "string" && PART_PATTERN.test(part)) &&
      typeof next === "string";
    return isWhole ? { state, nonce, verifier, next } : undefined;
  } catch {
    return undefined;
  }
}
