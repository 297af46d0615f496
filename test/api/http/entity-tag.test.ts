import test from "ava";
import { entityTag, isKnown } from "../../../api/http/entity-tag.ts";

const tag = entityTag("apple");

test("a tag is strong, and another for every other answer", (t) => {
  t.regex(tag, /^"[\w-]{43}"$/);
  t.is(entityTag(Buffer.from("apple")), tag);
  t.not(entityTag("pear"), tag);
});

for (const header of [tag, `W/${tag}`, `"other", ${tag}`, `${tag},"other"`, `W/"other" , W/${tag}`, "*"]) {
  test(`If-None-Match: ${header} names the tag`, (t) => {
    t.true(isKnown(header, tag));
  });
}

for (const header of ["", '"other"', tag.slice(1, -1), `"${tag.slice(2)}`, "**", '""']) {
  test(`If-None-Match: ${header} does not name the tag`, (t) => {
    t.false(isKnown(header, tag));
  });
}
