/** Which stores somebody has, and with which scopes. */
export interface Rights {
  stores: "*" | ReadonlySet<string>;
  scopes: ReadonlySet<string>;
}

/**
 * Whether rights lie within those of somebody who gives or takes them: no store and no scope more. So nobody can raise a person, reset the
 * password of one, or lock one out, who may do more.
 */
export const isWithin = ({ stores, scopes }: Rights, own: Rights): boolean =>
  [...scopes].every((scope) => own.scopes.has(scope)) &&
  (own.stores === "*" || (stores !== "*" && [...stores].every((id) => (own.stores as ReadonlySet<string>).has(id))));
