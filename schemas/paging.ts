import { type TObject, type TProperties, Type } from "typebox";

/** How much of a resource a response contains. */
export const Projection = Type.Enum(["S", "M", "L"], {
  title: "Projection",
  description: "How much is returned; everything if absent",
});

/** Whether dates are ISO 8601 with offset. */
export const SerializeDates = (otherwise: string) =>
  Type.Boolean({
    default: false,
    description: `Returns dates as ISO 8601 with an offset instead of ${otherwise}, both in the store's time zone`,
  });

/** Offset of the first entry in a list, from 0. */
export const Start = Type.Integer({
  minimum: 0,
  maximum: 2 ** 31 - 1,
  default: 0,
  description:
    "Offset of the first entry, from 0. If entries are added or removed meanwhile, pages by offset may repeat or skip some: follow `Link` instead",
});

/** Where a page of a list begins, as an alternative to an offset. */
export const After = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'Starts after the last entry of the previous page: take the value from that page\'s `Link` header (`rel="next"`). An entry that is ' +
    "in the list throughout, in an unchanged order, is then on exactly one page",
});

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** Number of entries in a page of a list. Some lists of small entries allow more than others. */
export const pageLimit = (max = MAX_LIMIT) =>
  Type.Integer({
    minimum: 1,
    maximum: max,
    default: DEFAULT_LIMIT,
    description: `Maximum number of entries; default ${DEFAULT_LIMIT}, at most ${max}`,
  });

/**
 * Schema of a resource at any projection level: the fields of the smallest level are required; the required fields of a larger
 * level are either all present or all absent. It is one object instead of a union, so that the type of every field that is
 * present is checked.
 */
export function atAnyLevel<S extends TProperties, L extends TProperties>(
  title: string,
  smallest: TObject<S>,
  ...larger: readonly TObject<L>[]
) {
  const levels = [smallest, ...larger].map(({ properties }) =>
    Object.entries(properties).flatMap(([name, schema]) => (Type.IsOptional(schema) ? [] : [name])),
  );
  const more = Object.assign({}, ...larger.map(({ properties }) => properties)) as L;
  const dependentRequired = Object.fromEntries(
    levels.slice(1).map((names, index) => {
      const [first = "", ...rest] = names.filter((name) => !levels[index]?.includes(name));
      return [first, [...new Set([...(levels[index] ?? []), ...rest])].filter((name) => !levels[0]?.includes(name))];
    }),
  );
  return Type.Object(
    { ...Type.Partial(Type.Object(more)).properties, ...smallest.properties },
    { title, description: "The fields that the projection selects", dependentRequired },
  );
}
