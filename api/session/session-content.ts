import { hash } from "node:crypto";
import type { ApiUser } from "../../records/kinds/tenants.ts";

/** What Redis holds of a session, sealed. */
export interface Content {
  as: "token" | "user" | "person";
  /** The token, or a ticket of our own. */
  token: string;
  idToken?: string;
  /** Of a user: the mark of its password at the login. */
  password?: string;
}

/** Changes with a user's password, and does not reveal what is stored of it. */
export const markOf = ({ password }: ApiUser): string => hash("sha256", password?.hash ?? "", "base64url");

/** Sessions of earlier releases held a token alone: they have ended. */
export function contentIn(text: string | undefined): Content | undefined {
  return text?.startsWith("{") ? (JSON.parse(text) as Content) : undefined;
}
