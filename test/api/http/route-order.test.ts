import test from "ava";
import fc from "fast-check";
import { inRouteOrder, shapeOf } from "../../../api/http/route-order.ts";

const pathsOf = (...paths: string[]) => inRouteOrder(paths.map((path) => ({ path }))).map(({ path }) => path);

for (const [first, second] of [
  ["/labels/models/:type", "/labels/:barcode/image"],
  ["/labels/refresh/:modelName", "/labels/:barcode/flash"],
  ["/items/sic/:sic", "/items/:itemId/links"],
  ["/labels/models", "/labels/:barcode"],
  ["/a/:b/c", "/a/:b/:c"],
] as const) {
  test(`${first} is tried before ${second}, whichever is listed first`, (t) => {
    t.deepEqual(pathsOf(first, second), [first, second]);
    t.deepEqual(pathsOf(second, first), [first, second]);
  });
}

test("paths that cannot both match keep their order", (t) => {
  t.deepEqual(pathsOf("/b", "/a", "/c"), ["/b", "/a", "/c"]);
});

const segment = fc.constantFrom("items", "sic", ":id", ":other");
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join("/")}`);
const matches = (pattern: string, text: string) => new RegExp(`^${pattern.replace(/:\w+/g, "[^/]+")}$`).test(text);

test("law: among all matching paths, none with an earlier fixed segment is tried later", (t) => {
  const text = fc.array(fc.constantFrom("items", "sic", "x"), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.uniqueArray(path, { selector: shapeOf }), text, (paths, segments) => {
      const candidates = pathsOf(...paths).filter((one) => matches(one, `/${segments.join("/")}`));
      const kinds = candidates.map((one) =>
        one
          .replace(/:\w+/g, "~")
          .split("/")
          .map((part) => Number(part === "~"))
          .join(""),
      );
      t.deepEqual(kinds, kinds.toSorted());
    }),
  );
});

test("paths that differ only in the names of parameters have the same shape", (t) => {
  t.is(shapeOf("/items/:itemId/links"), shapeOf("/items/:id/links"));
  t.not(shapeOf("/items/:itemId"), shapeOf("/items/sic"));
});
