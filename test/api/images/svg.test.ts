import test from "ava";
import fc from "fast-check";
import { ImageFault } from "../../../api/images/image-fault.ts";
import { checkSvg } from "../../../api/images/svg.ts";

const svg = (inside: string, attributes = 'viewBox="0 0 40 20"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`;
const resultOf = (text: string | Buffer) => {
  try {
    return checkSvg(Buffer.from(text));
  } catch (error) {
    if (error instanceof ImageFault) return error.message;
    throw error;
  }
};

const taken: [what: string, text: string, width: number, height: number][] = [
  ["a viewBox", svg("<path d='M0 0h9'/>"), 40, 20],
  ["width and height", svg("", 'width="30" height="12.5px"'), 30, 13],
  ["millimetres", svg("", 'width="25.4mm" height="1in"'), 96, 96],
  ["a relative width and a viewBox", svg("", 'width="100%" height="100%" viewBox="0,0,7,8"'), 7, 8],
  [
    "a declaration, a comment and a DOCTYPE that names a file, which is not read",
    `\ufeff<?xml version="1.0"?>\n<!-- <script> -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://x/svg11.dtd">${svg("")}`,
    40,
    20,
  ],
  ["references to its own parts", svg('<g id="a"><rect/></g><use href="#a"/><rect fill="url(#b)"/>'), 40, 20],
  ["a > inside an attribute", svg('<text id="a>b">1 &lt; 2 &#233; &#xe9;</text>'), 40, 20],
  ["a style sheet", svg("<style><![CDATA[.a { fill: url(#b) }]]></style>"), 40, 20],
];
for (const [what, text, width, height] of taken)
  test(`an SVG with ${what} is accepted`, (t) => t.deepEqual(resultOf(text), { width, height }));

const uses = (count: number, of: string) => `<use href="#${of}"/>`.repeat(count);
const levels = (count: number) =>
  `<rect id="g0"/>${Array.from({ length: count }, (_, level) => `<g id="g${level + 1}">${uses(10, `g${level}`)}</g>`).join("")}`;
const refused: [what: string, text: string | Buffer, why: RegExp][] = [
  ["a script", svg("<script>alert(1)</script>"), /<script>/],
  ["a script with a namespace prefix", svg('<s:script xmlns:s="http://www.w3.org/2000/svg"/>'), /<s:script>/],
  ["a script in an attribute", svg('<rect onload="alert(1)"/>'), /onload/],
  ["an external image", svg('<image href="file:///etc/passwd"/>'), /<image>/],
  ["an embedded image", svg('<image href="data:image/png;base64,AAAA"/>'), /<image>/],
  ["HTML", svg("<foreignObject><p/></foreignObject>"), /foreignObject/],
  ["an animation", svg('<rect><animateTransform dur="1s"/></rect>'), /animateTransform/],
  ["an external reference", svg('<use xlink:href="http://x/y.svg#a"/>'), /outside the file/],
  ["an escaped external reference", svg('<use href="&#104;ttp://x/#a"/>'), /outside the file/],
  ["a colour from another file", svg('<rect fill="url(http://x/y.svg#a)"/>'), /outside the file/],
  ["an external style sheet", svg("<style>@import 'http://x/y.css';</style>"), /outside the file/],
  ["a style sheet in a processing instruction", `<?xml-stylesheet href="x.css"?>${svg("")}`, /instructions/],
  ["an entity", `<!DOCTYPE svg [<!ENTITY a "b">]>${svg("<text>&a;</text>")}`, /entities/],
  ["its own DTD", `<!DOCTYPE svg [<!ELEMENT a ANY>]>${svg("")}`, /DTD/],
  ["elements that refer to ten others, ten times", svg(levels(10)), /more than 20000 elements/],
  ["an element that refers to itself", svg('<g id="a"><use href="#a"/></g>'), /deep/],
  ["deeply nested elements", svg(`${"<g>".repeat(70)}${"</g>".repeat(70)}`), /64 levels deep/],
  ["no size", svg("", ""), /without a size/],
  ["a size of zero", svg("", 'width="0" height="10"'), /without a size/],
  ["a size that is not a number", svg("", 'viewBox="0 0 a b"'), /without a size/],
  ["a thread definition", svg("", 'viewBox="0 0 1000 1"'), /100 times as long/],
  ["a size of many digits", svg("", `width="${"1".repeat(200)}" height="1"`), /200 characters in its width/],
  [
    "a pattern whose tile is large at the image's scale",
    svg('<pattern patternUnits="userSpaceOnUse" width="2200" height="2200"/>', 'viewBox="0 0 100 100"'),
    /pattern of 2200 x 2200, drawn as \d+ x \d+ pixels/,
  ],
  ["another root", "<html><svg viewBox='0 0 1 1'/></html>", /not an SVG/],
  ["two roots", `${svg("")}${svg("")}`, /two root elements/],
  ["no end", svg("").slice(0, -6), /truncated/],
  ["an unclosed tag", svg("<rect "), /not closed|cannot be read/],
  ["another encoding", Buffer.from(svg(""), "utf16le"), /not an SVG|UTF-8|no name/],
  ["bytes that are not text", Buffer.concat([Buffer.from(svg("")), Buffer.from([0xff])]), /UTF-8/],
];
for (const [what, text, why] of refused)
  test(`an SVG with ${what} is refused`, (t) => t.regex(String(resultOf(text)), why));

test("a corrupt SVG is accepted or refused, and never causes another error", (t) => {
  const whole = svg('<g id="a"><rect fill="url(#a)" x=\'1\'/></g><use href="#a"/><style>a{}</style><!-- b -->');
  fc.assert(
    fc.property(fc.nat(whole.length), fc.nat(3), fc.string({ maxLength: 6 }), (at, left, put) => {
      const result = resultOf(whole.slice(0, at) + put + whole.slice(at + left));
      t.true(typeof result === "string" ? result.length > 0 : result.width > 0);
    }),
    { numRuns: 500 },
  );
});
