import type { Permit } from "../access/verify-token.ts";
import type { Html } from "./html/html.ts";
import type { Key, Message } from "./messages/en.ts";
import type { Language, Texts } from "./messages/texts.ts";
import type { Read } from "./read-as-visitor.ts";

/** A store that a session may view. */
export interface StoreChoice {
  id: string;
  name: string;
  /** ISO 4217 code; absent if there is no such store. */
  currency?: string;
  /** IANA name; absent if there is no such store. */
  timeZone?: string;
}

/** The context of a page: the visitor, the language, the store, and functions to read and link. */
export interface Visit {
  permit: Permit;
  read: Read;
  texts: Texts;
  /** A message with all forms of its number, for scripts. */
  formsOf(key: Key): Message;
  /** Formats a price in the current store, with its currency if known. */
  price(price: string): string;
  language: Language;
  theme: "light" | "dark" | undefined;
  /** The path under which a proxy serves the pages; empty if it is the origin's root. */
  basePath: string;
  /** The session's known stores, and the current one; undefined if no store is known. */
  stores: readonly StoreChoice[];
  store: StoreChoice | undefined;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  now: Date;
  /** The address of this page, and of any page in the same store. */
  here: string;
  link(path: string, query?: Readonly<Record<string, string>>): string;
  /** The address of the same page in another store, or of the list there if the page is about a single entry in this store. */
  toStore(id: string): string;
  asset(name: string): string;
  /** The address of the current store's public interface. */
  storeBase: string;
  /** The current tenant: the session's, or the one that the operator has chosen; empty before that. */
  tenant: string;
  /** The address of the tenant's management interface. */
  manage: string;
  /** The name of the database, which an operator may have mistyped. */
  database: string;
  /** Whether the session is the operator's, above tenants. */
  isOperator: boolean;
  /** Whether the session may change stores in the management interface. */
  mayWrite: boolean;
  /** The tail of the current store's labels; absent if the session may not read it. */
  tail: string | undefined;
  /** The tail of the labels of all of the tenant's stores. */
  tenantTail: string | undefined;
  /** Whether the session has a permission. */
  may(scope: string): boolean;
  /** Whether the session has a tenant operation's rights for the whole tenant. */
  mayInTenant(scope: string): boolean;
}

/** The entries of the navigation. */
export type Entry = "overview" | "work" | "shelf" | "aisle" | "items" | "designer" | "stores";

/** A page: its address and content. */
export interface Page {
  path: string;
  /** The page's entry in the navigation, if it has one. */
  entry?: Entry;
  /** The entry that is marked as current if the page has none of its own. */
  below?: Entry;
  /** The message if the interface finds nothing at the page's address. */
  nothing?: Key;
  styles?: readonly string[];
  scripts?: readonly string[];
  /** The manifest with which a browser installs the page. */
  manifest?: string;
  /** Returns the page's title and content; throws a ProblemError, which is shown in its place. */
  show(visit: Visit): Promise<{ title: string; content: Html }>;
}
