/** The stores that somebody may access, and the scopes of the access. */
export interface Rights {
  stores: "*" | ReadonlySet<string>;
  scopes: ReadonlySet<string>;
}

/**
 * Whether rights are within those of the person who gives or takes them: no store and no scope more. So nobody can raise the
 * rights of, reset the password of, or lock out a person who may do more.
 */
export const isWithin = ({ stores, scopes }: Rights, own: Rights): boolean =>
  [...scopes].every((scope) => own.scopes.has(scope)) &&
  (own.stores === "*" || (stores !== "*" && [...stores].every((id) => (own.stores as ReadonlySet<string>).has(id))));
