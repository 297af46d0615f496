import test from "ava";
import { chooseSample, inTurns, spread } from "../../../../api/management/replacement/choose-sample.ts";

const link = (key: string, designId: string, type: number, letters: number) => ({ key, designId, type, letters });

test("each design and label type in turn yields its link with the longest text", (t) => {
  const many = Array.from({ length: 1000 }, (_, index) => link(`many ${index}`, "tag", 1, index % 50));
  const rare = [link("short", "offer", 1, 3), link("long", "offer", 1, 55), link("large", "tag", 2, 5)];
  const chosen = chooseSample([...many, ...rare], 5);
  t.deepEqual(chosen, ["many 49", "long", "large", "many 99", "short"]);
  t.deepEqual(chooseSample(rare, 5), ["long", "large", "short"]);
  t.is(chooseSample(many, 240).length, 240);
});

test("taking turns returns no more links than requested", (t) => {
  t.deepEqual(inTurns([[1, 2, 3], [4], [5, 6]], 5), [1, 4, 5, 2, 6]);
  t.deepEqual(inTurns([[1], [2], [3]], 2), [1, 2]);
  t.deepEqual(inTurns([], 2), []);
});

test("`spread` chooses links at equal intervals", (t) => {
  t.deepEqual(spread([0, 1, 2, 3, 4, 5], 3), [0, 2, 4]);
  t.deepEqual(spread([0, 1], 3), [0, 1]);
});
