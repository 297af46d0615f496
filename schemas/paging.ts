import { Type } from "typebox";

/** How much of a resource an answer shows. */
export const Projection = Type.Enum(["S", "M", "L"], { description: "How much is shown; without it everything" });

/** 0-based offset into a list. */
export const Start = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, default: 0, description: "0-based offset" });

export const limitOf = (initial: number, most: number) =>
  Type.Integer({
    minimum: 1,
    maximum: most,
    default: initial,
    description: `How many; default ${initial}, at most ${most}`,
  });
