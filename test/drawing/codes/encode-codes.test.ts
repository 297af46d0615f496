import test from "ava";
import fc from "fast-check";
import { CodeError } from "../../../drawing/codes/code-error.ts";
import { linearSymbol, matrixSymbol } from "../../../drawing/codes/encode-codes.ts";

type LinearKind = Parameters<typeof linearSymbol>[0];
type MatrixKind = Parameters<typeof matrixSymbol>[0];

const linear: [kind: LinearKind, value: string, quiet: [left: number, right: number], modules: number][] = [
  ["ean13", "3850334020802", [11, 7], 113],
  ["ean8", "40170725", [7, 7], 81],
  ["upca", "036000291452", [9, 9], 113],
  ["code128", "Shelf 7", [10, 10], 132],
  ["gs1-128", "(01)09501101530003", [10, 10], 154],
];

for (const [kind, value, [left, right], modules] of linear) {
  test(`${kind}: the symbol includes quiet zones of ${left} and ${right} modules`, (t) => {
    const symbol = linearSymbol(kind, value);
    t.is(symbol.modules, modules);
    t.is(symbol.bars.at(0), left);
    t.is(symbol.bars.at(-1), modules - right);
  });

  test(`${kind}: bars are in order and do not touch`, (t) => {
    const { bars } = linearSymbol(kind, value);
    t.true(bars.every((index, at) => at === 0 || index > (bars[at - 1] ?? 0)));
  });
}

const matrix: [kind: MatrixKind, value: string, quiet: number, modules: number][] = [
  ["qr", "https://example.com/4711", 4, 25],
  ["gs1-datamatrix", "(01)09501101530003(17)250101", 1, 18],
];

for (const [kind, value, quiet, modules] of matrix) {
  test(`${kind}: the symbol has a quiet zone of ${quiet} modules on every side`, (t) => {
    const { dark, columns, rows } = matrixSymbol(kind, value, "M");
    t.deepEqual([columns, rows], [modules + 2 * quiet, modules + 2 * quiet]);
    const [ys, from, to] = [0, 1, 2].map((column) => dark.filter((_, at) => at % 3 === column));
    t.deepEqual([Math.min(...(ys ?? [])), Math.max(...(ys ?? []))], [quiet, quiet + modules - 1]);
    t.deepEqual([Math.min(...(from ?? [])), Math.max(...(to ?? []))], [quiet, quiet + modules]);
  });
}

const refused: [what: string, kind: LinearKind | MatrixKind, value: string, message: RegExp][] = [
  ["a Code 128 with letters that ASCII lacks", "code128", "čaj", /printable ASCII characters/],
  ["a Code 128 with control characters", "code128", "a\tb", /printable ASCII characters/],
  ["a Code 128 that is too long", "code128", "a".repeat(81), /at most 80 characters/],
  ["a GS1-128 without application identifiers", "gs1-128", "09501101530003", /GS1-128: AIs must start/],
  ["a GS1-128 with a wrong check digit", "gs1-128", "(01)09501101530004", /GS1-128: AI 01: Bad checksum/],
  ["a GS1-128 with an unknown identifier", "gs1-128", "(05)1", /Unrecognised AI/],
  ["a GS1-128 with an invalid day", "gs1-128", "(17)251399", /AI 17: Invalid month/],
  ["a GS1-128 with letters instead of digits", "gs1-128", "(01)0950110153000A", /AI 01/],
  ["a GS1 DataMatrix with a wrong check digit", "gs1-datamatrix", "(01)09501101530004", /GS1 DataMatrix: AI 01/],
  ["a GS1 DataMatrix without identifiers", "gs1-datamatrix", "hello", /GS1 DataMatrix: AIs must start/],
  ["a GS1 DataMatrix with a batch but no product", "gs1-datamatrix", "(10)a(17)260703", /AI \(10\) are missing: 01/],
  ["a GS1-128 that is too long", "gs1-128", `(10)${"A".repeat(100)}`, /at most 100 characters/],
  [
    "a DataMatrix with letters that readers show differently",
    "datamatrix",
    "č",
    /not a valid DataMatrix: it can contain printable/,
  ],
  ["a DataMatrix that is too long", "datamatrix", "a".repeat(301), /at most 300 characters/],
  [
    "a Code 39 with lowercase letters",
    "code39",
    "abc",
    /not a valid Code 39: Code 39 must contain only digits, capital letters/,
  ],
  ["a Code 39 that is too long", "code39", "A".repeat(41), /at most 40 characters/],
  ["an ITF-14 of 13 digits", "itf14", "9501101530003", /not a valid ITF-14: it must have 14 digits/],
  ["an ITF-14 with a wrong check digit", "itf14", "09501101530004", /ITF-14: Incorrect ITF-14 check digit/],
  ["a DataBar with letters", "databar", "hello", /not a valid GS1 DataBar: it must have 8, 12, 13 or 14 digits/],
  ["a DataBar with a wrong check digit", "databar", "09501101530004", /GS1 DataBar: Incorrect .* check digit/],
  ["a DataBar Expanded without identifiers", "databar-expanded", "hello", /GS1 DataBar Expanded: AIs must start/],
  ["a DataBar Expanded that is too long", "databar-expanded", `(10)${"A".repeat(100)}`, /at most 100 characters/],
  ["a GS1 DataMatrix that is too long", "gs1-datamatrix", "(10)A".repeat(100), /at most 300 characters/],
  ["a QR code that is too long", "qr", "a".repeat(1001), /QR code: it can have at most 1000 characters/],
  ["a QR code with too many bytes", "qr", "語".repeat(1000), /too long for a QR code/],
];

for (const [what, kind, value, message] of refused) {
  test(`${what} is refused`, (t) => {
    const make = () =>
      kind === "qr" || kind === "datamatrix" || kind === "gs1-datamatrix"
        ? matrixSymbol(kind, value, "M")
        : linearSymbol(kind, value);
    t.throws(make, { instanceOf: CodeError, message });
    t.throws(make, { instanceOf: CodeError, message }, "and again");
  });
}

test("any text results in a symbol or a CodeError in every symbology", (t) => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (value) => {
      for (const kind of ["ean13", "ean8", "upca", "code128", "gs1-128"] as const)
        tolerate(() => linearSymbol(kind, value));
      for (const kind of ["qr", "gs1-datamatrix"] as const) tolerate(() => matrixSymbol(kind, value, "M"));
    }),
    { numRuns: 200 },
  );
  t.pass();
});

function tolerate(make: () => unknown): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof CodeError)) throw error;
  }
}

test("stronger error correction needs more modules", (t) => {
  const sizes = (["L", "M", "Q", "H"] as const).map((level) => matrixSymbol("qr", "x".repeat(100), level).columns);
  t.deepEqual(
    sizes,
    sizes.toSorted((one, other) => one - other),
  );
  t.true((sizes.at(-1) ?? 0) > (sizes[0] ?? 0));
});
