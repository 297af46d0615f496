import test from "ava";
import fc from "fast-check";
import { boundaryOf, FormFault, parseForm } from "../../../api/http/multipart.ts";

const form = (...lines: string[]) => Buffer.from(lines.join("\r\n"), "latin1");
const shown = async (body: Buffer, boundary = "b") =>
  (await parseForm(body, boundary)).map(({ name, isFile, content }) => [name, isFile, content.toString("latin1")]);

const contentTypes: [contentType: string, boundary: string | undefined][] = [
  ["multipart/form-data; boundary=----WebKitFormBoundary7MA4", "----WebKitFormBoundary7MA4"],
  ['multipart/form-data; boundary="with blank; and more"', "with blank; and more"],
  ["Multipart/Form-Data ; charset=utf-8; BOUNDARY=b", "b"],
  ["multipart/form-data", undefined],
  ["multipart/form-data; boundary=", undefined],
  [`multipart/form-data; boundary=${"b".repeat(71)}`, "b".repeat(70)],
  ["multipart/mixed; boundary=b", undefined],
  ["application/json", undefined],
  ["", undefined],
];
for (const [contentType, boundary] of contentTypes) {
  test(`the boundary of "${contentType}" is ${boundary}`, (t) => t.is(boundaryOf(contentType), boundary));
}

test("parts keep the names, bytes and order of the form", async (t) => {
  const body = form(
    "--b",
    'Content-Disposition: form-data; name="note"',
    "",
    "two\r\nlines",
    "--b",
    'Content-Disposition: form-data; name="imageFile"; filename="a.png"',
    "Content-Type: image/png",
    "",
    "\x89PNG\r\n\x1a\n",
    "--b--",
    "",
  );
  t.deepEqual(await shown(body), [
    ["note", false, "two\r\nlines"],
    ["imageFile", true, "\x89PNG\r\n\x1a\n"],
  ]);
});

test("forms as other programs write them are accepted too", async (t) => {
  const dispositions = [
    "form-data; name=imageFile; filename=a.png; filename*=utf-8''a.png",
    'form-data; filename="a; name=x.png"; name="imageFile"',
    'FORM-DATA;name="imageFile";filename=""',
  ];
  for (const disposition of dispositions) {
    const body = form("a line before", "--b  ", `content-disposition: ${disposition}`, "", "bytes", "--b--after");
    t.deepEqual(await shown(body), [["imageFile", true, "bytes"]], disposition);
  }
});

test("a part may be empty, and a form may have none", async (t) => {
  t.deepEqual(await shown(form("--b", 'Content-Disposition: form-data; name="a"', "", "", "--b--")), [
    ["a", false, ""],
  ]);
  t.deepEqual(await shown(form("--b--")), []);
});

const head = 'Content-Disposition: form-data; name="a"';
const faults: [what: string, body: Buffer][] = [
  ["another boundary", form("--c", head, "", "x", "--c--")],
  ["an empty body", form("")],
  ["no closing boundary", form("--b", head, "", "x")],
  ["a truncated boundary", form("--b", head, "", "x", "--b")],
  ["headers without an end", form("--b", head, "--b--")],
  ["no name", form("--b", "Content-Disposition: form-data", "", "x", "--b--")],
  ["no disposition", form("--b", "Content-Type: image/png", "", "x", "--b--")],
  ["endless headers", form("--b", `${head}; x=${"y".repeat(9000)}`, "", "x", "--b--")],
  ["more than 20 parts", form(...Array.from({ length: 21 }, () => ["--b", head, "", "x"]).flat(), "--b--")],
];
for (const [what, body] of faults) {
  test(`a form with ${what} is refused`, async (t) => {
    await t.throwsAsync(parseForm(body, "b"), { instanceOf: FormFault });
  });
}

test("the bytes of a part are returned unchanged, whatever they are", async (t) => {
  const parts = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(parts, async (contents) => {
      const boundary = "a boundary that is nowhere else";
      const pieces = contents.map((content, index) =>
        Buffer.concat([form(`--${boundary}`, `content-disposition: form-data; name="${index}"`, "", ""), content]),
      );
      const body = Buffer.concat([...pieces.flatMap((piece) => [piece, form("", "")]), form(`--${boundary}--`, "")]);
      t.deepEqual(
        (await parseForm(body, boundary)).map(({ content }) => Buffer.from(content)),
        contents.map((content) => Buffer.from(content)),
      );
    }),
  );
});

test("any body is either read as a form or refused", async (t) => {
  const pieces = fc.constantFrom(
    "--b",
    "--b--",
    "\r\n",
    "\r\n\r\n",
    "content-disposition: form-data; name=a",
    "x",
    "-",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 20 }), async (texts) => {
      try {
        t.true(Array.isArray(await parseForm(Buffer.from(texts.join("")), "b")));
      } catch (error) {
        t.true(error instanceof FormFault);
      }
    }),
    { numRuns: 500 },
  );
});
