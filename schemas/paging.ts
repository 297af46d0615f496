import { type TObject, type TProperties, Type } from "typebox";

/** How much of a resource an answer shows. */
export const Projection = Type.Enum(["S", "M", "L"], {
  title: "Projection",
  description: "How much is shown; without it everything",
});

/** Whether dates are ISO 8601 with offset. */
export const SerializeDates = (otherwise: string) =>
  Type.Boolean({
    default: false,
    description: `Dates as ISO 8601 with offset instead of ${otherwise}, both in the store's zone`,
  });

/** 0-based offset into a list. */
export const Start = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, default: 0, description: "0-based offset" });

/** Size of a page of a list. */
export const limitOf = (initial: number, max: number) =>
  Type.Integer({
    minimum: 1,
    maximum: max,
    default: initial,
    description: `How many; default ${initial}, at most ${max}`,
  });

/**
 * Schema of a resource at any projection level: the fields of the smallest level are required, those of a larger level
 * are all present or all absent. It is one object instead of a union, so that each present field has its type checked.
 */
export function atAnyLevel<S extends TProperties, L extends TProperties>(
  title: string,
  smallest: TObject<S>,
  ...larger: readonly TObject<L>[]
) {
  const levels = [smallest, ...larger].map(({ properties }) => Object.keys(properties));
  const more = Object.assign({}, ...larger.map(({ properties }) => properties)) as L;
  const dependentRequired = Object.fromEntries(
    levels.slice(1).map((names, index) => {
      const [first = "", ...rest] = names.filter((name) => !levels[index]?.includes(name));
      return [first, [...new Set([...(levels[index] ?? []), ...rest])].filter((name) => !levels[0]?.includes(name))];
    }),
  );
  return Type.Object(
    { ...Type.Partial(Type.Object(more)).properties, ...smallest.properties },
    { title, description: "As much of it as the projection shows", dependentRequired },
  );
}
