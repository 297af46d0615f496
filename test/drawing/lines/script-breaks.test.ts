import test from "ava";
import { scriptParts } from "../../../drawing/lines/script-breaks.ts";
import { ATOMS } from "../../../drawing/lines/units.ts";
import { wordsOf, wrap } from "../../../drawing/lines/wrap-words.ts";

const broken = (text: string): string => scriptParts(text).join("|");

test("a Chinese or Japanese line may break after any character except around signs where breaks are forbidden", (t) => {
  t.is(broken("北海道牛乳"), "北|海|道|牛|乳");
  t.is(broken("牛乳「特選」、税込(税抜)"), "牛|乳|「特|選」、|税|込|(税|抜)");
  t.is(broken("カップラーメン"), "カッ|プ|ラー|メ|ン");
  t.is(broken("ABC漢字"), "ABC|漢|字");
});

test("a number stays with its unit, and a currency sign with its number", (t) => {
  t.is(broken("牛乳500グラム入"), "牛|乳|500グラム|入");
  t.is(broken("特价￥12.50元"), "特|价|￥12.50元");
  t.is(broken("ข้าว5กก."), "ข้าว|5กก.");
});

test("a Thai line breaks between words, and a repetition sign belongs to its word", (t) => {
  t.is(broken("ข้าวหอมมะลิ"), "ข้าว|หอม|มะลิ");
  t.is(broken("เร็วๆนี้"), "เร็วๆ|นี้");
});

test("splitting neither drops nor changes a character", (t) => {
  for (const text of ["北海道牛乳「特選」500g入り、198円", "น้ำปลาแท้100%ตราปลาหมึก700มล.", "e\u0301漢字\u{20000}x"]) {
    t.is(scriptParts(text).join(""), text);
  }
});

test("text without spaces is wrapped into lines", (t) => {
  const lines = wrap([wordsOf("北海道牛乳と卵", (text) => text.length)], 3, 9);
  t.deepEqual(
    lines?.map(({ shown }) => shown),
    ["北海道", "牛乳と", "卵"],
  );
});

test("cutting text keeps letters with their marks, joined letters together, and numbers with their units", (t) => {
  const atoms = (text: string): string | undefined => text.match(ATOMS)?.join("|");
  t.is(atoms("เหนียว"), "เห|นี|ย|ว");
  t.is(atoms("क्षेत्र"), "क्षे|त्र");
  t.is(atoms("حليب 500 غ"), "ح|ل|ي|ب| |500 غ");
  t.is(atoms("牛乳500克x"), "牛|乳|500克|x");
});
