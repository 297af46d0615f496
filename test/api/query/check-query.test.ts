import test from "ava";
import { Type } from "typebox";
import { ProblemError } from "../../../api/http/problem-error.ts";
import { compileQueryCheck } from "../../../api/query/check-query.ts";
import { pageLimit } from "../../../schemas/paging.ts";

const check = compileQueryCheck(
  Type.Object({
    "filter[modelName]": Type.Optional(Type.Array(Type.String())),
    limit: Type.Optional(pageLimit(1000)),
  }),
);
const tolerant = { isTolerant: true, isStrict: false };
const strict = { isTolerant: false, isStrict: true };

test("a limit beyond its maximum becomes the maximum, with a remark", (t) => {
  t.deepEqual(check("limit=5000", tolerant), {
    query: { limit: 1000 },
    remarks: ["limit=5000 is more than the maximum; 1000 is used"],
  });
});

test("an unknown parameter is ignored, with a remark that names the nearest known one", (t) => {
  t.deepEqual(check("filter[modelname]=a&limit=7", tolerant), {
    query: { limit: 7 },
    remarks: [
      "filter[modelname] is not a query parameter of this operation; the nearest is filter[modelName], and is ignored",
    ],
  });
  t.deepEqual(compileQueryCheck(undefined)("a=1", tolerant).remarks, [
    "a is not a query parameter of this operation; it has none, and is ignored",
  ]);
});

test("a query with only known parameters has no remarks", (t) => {
  t.deepEqual(check("filter[modelName]=a,b&limit=1000&", tolerant), {
    query: { "filter[modelName]": ["a", "b"], limit: 1000 },
    remarks: [],
  });
});

test("a filter's choices may be in another case, but its names may not", (t) => {
  const filters = compileQueryCheck(
    Type.Object({
      "filter[plState]": Type.Optional(Type.Array(Type.Enum(["OK", "ERROR"]))),
      "filter[modelName]": Type.Optional(Type.Array(Type.String())),
    }),
  );
  const text = "filter[plState]=ok,Error&filter[modelName]=medium";
  t.deepEqual(filters(text, tolerant).query, { "filter[plState]": ["OK", "ERROR"], "filter[modelName]": ["medium"] });
  t.throws(() => filters(text, strict), { instanceOf: ProblemError });
});

test("strict handling refuses unknown parameters and larger limits, all in one response", (t) => {
  const error = t.throws(() => check("limit=5000&filter[modelname]=a", strict), { instanceOf: ProblemError });
  t.deepEqual(
    error.extra.errors?.map(({ pointer, detail }) => `${pointer} ${detail}`),
    [
      "/query/limit must be at most 1000, not 5000",
      "/query/filter[modelname] is not a query parameter of this operation; the nearest is filter[modelName]. Leave it out",
    ],
  );
});

test("the management interface accepts no other forms, and only remarks on unknown parameters", (t) => {
  const exact = { isTolerant: false, isStrict: false };
  t.throws(() => check("limit=5000", exact), { instanceOf: ProblemError });
  t.is(check("verbose=1", exact).remarks.length, 1);
});
