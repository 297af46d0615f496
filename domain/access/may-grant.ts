/** The stores that somebody may access, and with which scopes. */
export interface Rights {
  stores: "*" | ReadonlySet<string>;
  scopes: ReadonlySet<string>;
}

/**
 * Whether rights are within the rights of the person who grants or withdraws them, in stores and in scopes. So nobody can change
 * the rights of a person who may do more, reset that person's password, or lock that person out.
 */
export const isWithin = ({ stores, scopes }: Rights, own: Rights): boolean =>
  [...scopes].every((scope) => own.scopes.has(scope)) &&
  (own.stores === "*" || (stores !== "*" && [...stores].every((id) => (own.stores as ReadonlySet<string>).has(id))));
