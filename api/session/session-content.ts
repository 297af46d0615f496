import { hash } from "node:crypto";
import type { ApiUser } from "../../records/kinds/tenants.ts";

/** A session's content in Redis, before sealing. */
export interface Content {
  as: "token" | "user" | "person";
  /** The token, or a ticket that Shelfwire signed. */
  token: string;
  idToken?: string;
  /** For a user: the mark of the password used to log in. */
  password?: string;
}

/** Returns a mark that changes with a user's password, and does not reveal the stored hash. */
export const markOf = ({ password }: ApiUser): string => hash("sha256", password?.hash ?? "", "base64url");

/** Sessions of earlier releases, which held only a token, have ended. */
export function contentIn(text: string | undefined): Content | undefined {
  return text?.startsWith("{") ? (JSON.parse(text) as Content) : undefined;
}
