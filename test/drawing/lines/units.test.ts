import test from "ava";
import { belongTogether, NET_CONTENT } from "../../../drawing/lines/units.ts";

for (const [word, next] of [
  ["500", "g"],
  ["1,5", "kg"],
  ["0.75", "L"],
  ["10", "kom"],
  ["10", "kom."],
  ["20", "%"],
  ["12,00", "€/kg"],
  ["6.5", "kg=100PR"],
  ["200", "g+50"],
  ["6", "x"],
  ["6 x", "0,5"],
  ["€", "5"],
  ["250", "γρ"],
  ["2", "шт."],
  ["12", "pièces"],
  ["10", "Stück"],
  ["20", "WL"],
  ["6", "stuks"],
] as const) {
  test(`${word} ${next} stay together`, (t) => t.true(belongTogether(word, next)));
}

for (const [word, next] of [
  ["500", "gold"],
  ["Coca", "g"],
  ["2", "Äpfel"],
  ["3", "unique"],
  ["Vitamin", "12"],
  ["x", "5"],
] as const) {
  test(`${word} ${next} may be split`, (t) => t.false(belongTogether(word, next)));
}

for (const [name, content] of [
  ["Mlijeko trajno 2,8% 1 L", "1 L"],
  ["Pivo 6 x 0,5 l", "6 x 0,5 l"],
  ["Sir 500g", "500g"],
  ["Jaja (10 kom)", "10 kom)"],
] as const) {
  test(`the net content of ${name} is ${content}`, (t) => t.is(NET_CONTENT.exec(name)?.[0], content));
}

test("a name without a net content has none", (t) => t.is(NET_CONTENT.exec("Kruh 5 vrsta"), null));
