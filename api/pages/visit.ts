import type { Permit } from "../access/verify-token.ts";
import type { Html } from "./html/html.ts";
import type { Key, Message } from "./messages/en.ts";
import type { Language, Texts } from "./messages/texts.ts";
import type { Read } from "./read-as-visitor.ts";

/** A store that a session may look at. */
export interface StoreChoice {
  id: string;
  name: string;
  /** ISO 4217 code; absent if the session may not read the store's settings. */
  currency?: string;
  /** IANA name; absent likewise. */
  timeZone?: string;
}

/** What a page is asked with: who asks, in which language, for which store, and how it reads and links. */
export interface Visit {
  permit: Permit;
  read: Read;
  texts: Texts;
  /** A message with all forms of its number, for scripts. */
  formsOf(key: Key): Message;
  /** A price of the store that is looked at, with its currency if that is known. */
  price(price: string): string;
  language: Language;
  theme: "light" | "dark" | undefined;
  /** The stores that the session is known to have, and the one that is looked at; absent if none is known. */
  stores: readonly StoreChoice[];
  store: StoreChoice | undefined;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  now: Date;
  /** The address of the page itself, and of another page in the same store. */
  here: string;
  link(path: string, query?: Readonly<Record<string, string>>): string;
  asset(name: string): string;
  /** The address of the public interface of the store that is looked at. */
  storeBase: string;
  /** The tenant that is looked after: the session's, or the one that the operator has chosen; empty before that. */
  tenant: string;
  /** The address of its management interface. */
  manage: string;
  /** The name of the database, which an operator may have got wrong. */
  database: string;
  /** Whether the session is the operator's, above tenants. */
  isOperator: boolean;
  /** Whether it may write what the management interface has of stores. */
  mayWrite: boolean;
  /** The tail of the labels of the store that is looked at; absent if the session may not have it. */
  tail: string | undefined;
  /** That of the labels of all stores of the tenant. */
  tenantTail: string | undefined;
  /** Whether the session has a right. */
  may(scope: string): boolean;
  /** Whether it has the rights of the whole tenant that an operation of the tenant needs. */
  mayInTenant(scope: string): boolean;
}

/** The entries of the navigation. */
export type Entry = "overview" | "shelf" | "aisle" | "items" | "stores";

/** A page: if it is, and what it shows. */
export interface Page {
  path: string;
  /** Its entry in the navigation, if it has one. */
  entry?: Entry;
  /** What its address is below. */
  below?: Entry;
  /** What is said where the interface finds nothing at its address. */
  nothing?: Key;
  styles?: readonly string[];
  scripts?: readonly string[];
  /** What a browser installs the page by. */
  manifest?: string;
  /** Returns its title and content; throws a ProblemError, which is shown in its place. */
  show(visit: Visit): Promise<{ title: string; content: Html }>;
}
