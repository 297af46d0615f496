import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";
import { type ProtoValue, readValue } from "./values.ts";

/** A case from the CEL specification's conformance tests ("simple tests"). */
export interface ConformanceCase {
  /** The file, section and name of the case. */
  name: string;
  source: string;
  /** The case's variables, as the evaluator represents them. */
  bindings: ReadonlyMap<string, unknown>;
  /** The expected value; undefined if an error is expected. */
  value: { wanted: unknown } | undefined;
}

interface Suite {
  name: string;
  suites?: Suite[];
  tests?: { original: object }[];
}

/** The fields of a `SimpleTest` that are read here, in the JSON form of protocol buffers. */
interface SimpleTest {
  name: string;
  expr: string;
  container?: string;
  value?: ProtoValue;
  evalError?: unknown;
  bindings?: Readonly<Record<string, { value: ProtoValue }>>;
}

/** Files whose cases are about type deduction or about extensions that Shelfwire does not support. */
const otherFiles = /_ext$|^optionals$|^macros2$|^type_deductions$/;
/** Names of protocol buffer messages and other types. */
const protobuf = /TestAllTypes|google\.protobuf|cel\.expr|objectValue|messageType|@type/;

function* walk(suite: Suite, path: readonly string[]): Generator<{ path: readonly string[]; test: SimpleTest }> {
  for (const { original } of suite.tests ?? []) yield { path, test: original as SimpleTest };
  for (const inner of suite.suites ?? []) yield* walk(inner, [...path, inner.name]);
}

const isWithoutProtobuf = (test: SimpleTest): boolean =>
  test.container === undefined && !protobuf.test(JSON.stringify(test));

/** Every case about the language itself that needs no protocol buffer message. */
const core = [...walk(tests as Suite, [])].filter(
  ({ path, test }) => !otherFiles.test(path[0] ?? "") && isWithoutProtobuf(test),
);

const caseOf = ({ path, test }: (typeof core)[number]): ConformanceCase => ({
  name: [...path, test.name].join("/"),
  source: test.expr,
  bindings: new Map(Object.entries(test.bindings ?? {}).map(([name, { value }]) => [name, readValue(value)])),
  value: test.value && { wanted: readValue(test.value) },
});

/** Cases that expect a value, and cases that expect an error. */
export const valueCases = core.filter(({ test }) => test.value !== undefined).map(caseOf);
export const errorCases = core.filter(({ test }) => test.evalError !== undefined).map(caseOf);
