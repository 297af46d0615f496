import test from "ava";
import { entityTag, isKnown, isMatched } from "../../../api/http/entity-tag.ts";

const tag = entityTag("apple");

test("an entity tag is strong, and different responses have different tags", (t) => {
  t.regex(tag, /^"[\w-]{43}"$/);
  t.is(entityTag(Buffer.from("apple")), tag);
  t.not(entityTag("pear"), tag);
});

for (const header of [tag, `W/${tag}`, `"other", ${tag}`, `${tag},"other"`, `W/"other" , W/${tag}`, "*"]) {
  test(`If-None-Match: ${header} matches the tag`, (t) => {
    t.true(isKnown(header, tag));
  });
}

for (const header of [
  "",
  '"other"',
  tag.slice(1, -1),
  `"${tag.slice(2)}`,
  "**",
  '""',
  `x${tag}`,
  `${tag}x`,
  `w/${tag}`,
]) {
  test(`If-None-Match: ${header} does not match the tag`, (t) => {
    t.false(isKnown(header, tag));
  });
}

for (const [header, isWeaklyTheSame, isStronglyTheSame] of [
  // RFC 9110, section 8.8.3.2.
  [tag, true, true],
  [`W/${tag}`, true, false],
  [`W/"other", ${tag}`, true, true],
  [`"other", W/${tag}`, true, false],
  [`W/${tag}, ${tag}`, true, true],
  [`"one,other",${tag}`, true, true],
  [`"one, W/", ${tag}`, true, true],
  ['W/"other"', false, false],
  ['"other"', false, false],
  [`w/${tag}`, false, false],
  ["*", true, true],
  [" * ", true, true],
  ["", false, false],
] as const) {
  test(`If-None-Match compares ${JSON.stringify(header)} weakly and If-Match strongly`, (t) => {
    t.is(isKnown(header, tag), isWeaklyTheSame);
    t.is(isMatched(header, tag), isStronglyTheSame);
  });
}
