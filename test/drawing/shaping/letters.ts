import type { Glyph } from "../../../drawing/glyphs/pixels.ts";
import { addGlyph, glyphOfInk, type Ink } from "../../../drawing/glyphs/pixels.ts";
import { settingOf } from "../../../drawing/shaping/setting.ts";
import type { Face } from "../../../drawing/text/fonts.ts";

const JOINER = "\u200d";

/** Arabic letters, each isolated and joined to both sides. */
const arabic = [..."ابتثجحخدذرزسشصضطظعغفقكلمنهويةىأإآؤئء"].flatMap((letter) => [letter, `${JOINER}${letter}${JOINER}`]);
const devanagari = [
  ...("अआइईउऊऋएऐओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहक्षत्रज्ञ".match(/\p{L}\p{M}*(?:(?<=\u094d)\p{L})?/gu) ?? []),
  ...["का", "कि", "की", "कु", "कू", "के", "कै", "को", "कौ", "कं", "कँ", "कः", "क्", "ड़", "ढ़", "ज़", "फ़"],
];
const thai = [
  ..."กขคฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮฤฯๆะาเแโใไ",
  ...[
    "กั",
    "กิ",
    "กี",
    "กึ",
    "กื",
    "กุ",
    "กู",
    "ก็",
    "ก่",
    "ก้",
    "ก๊",
    "ก๋",
    "ก์",
    "กำ",
    "กิ่",
    "กิ้",
    "กี่",
    "กี้",
    "กื่",
    "กื้",
    "กุ้",
    "ก้ำ",
    "ป้",
  ],
];
const japanese = [
  ..."あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをんがぎぐばびぶぱぴぷ",
  ..."アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲンガギグバビブパピプー",
  ..."一二三四五六七八九十百千円税込抜特価半額割引品切均新鮮有機無添加北海道牛乳肉鶏豚魚鮭米茶緑酒麦水油醤味噌豆腐卵野菜果物国産地大小中個本枚袋箱冷凍食賞期限年月日限定",
];

/** Letters of each script, with the language in which they are shown. */
export const letters: Readonly<Record<string, { locale: string; letters: readonly string[] }>> = {
  Arabic: { locale: "ar-SA", letters: arabic },
  Hebrew: { locale: "he-IL", letters: [..."אבגדהוזחטיךכלםמןנסעףפץצקרשת"] },
  Devanagari: { locale: "hi-IN", letters: devanagari },
  Thai: { locale: "th-TH", letters: thai },
  Japanese: { locale: "ja-JP", letters: japanese },
};

/** All ink of a string drawn on one line. */
export function inkOfText(face: Face, text: string, size: number, locale: string): Glyph {
  const ink: Ink = new Map();
  const line = { text, size, left: 0, baseline: 0 };
  settingOf(face, text, locale).eachStamp(line, (glyph, x, y) => addGlyph(ink, glyph, x, y));
  return glyphOfInk(ink, 0);
}
