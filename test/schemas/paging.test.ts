import { Ajv2020 } from "ajv/dist/2020.js";
import test from "ava";
import { Type } from "typebox";
import { atAnyLevel } from "../../schemas/paging.ts";

const small = { id: Type.String() };
const medium = { ...small, place: Type.String(), floor: Type.Integer() };
const Shelf = atAnyLevel(
  "Shelf",
  Type.Object(small),
  Type.Object(medium),
  Type.Object({ ...medium, lamps: Type.Integer() }),
);
const isShelf = new Ajv2020({ strict: false }).compile(Shelf);

const answers: Record<string, [answer: object, isRight: boolean]> = {
  "the smallest level": [{ id: "a" }, true],
  "a larger level": [{ id: "a", place: "A-12", floor: 0 }, true],
  "the largest level": [{ id: "a", place: "A-12", floor: 0, lamps: 3 }, true],
  "fewer fields than the smallest level": [{ place: "A-12", floor: 0 }, false],
  "only some of a level's fields": [{ id: "a", place: "A-12" }, false],
  "a level without the level below it": [{ id: "a", lamps: 3 }, false],
  "a field of the wrong type": [{ id: "a", place: "A-12", floor: "0" }, false],
};
for (const [what, [answer, isRight]] of Object.entries(answers)) {
  test(`${what} is ${isRight ? "" : "not "}a response`, (t) => t.is(isShelf(answer), isRight));
}
