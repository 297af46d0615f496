import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";
import { type ProtoValue, readValue } from "./values.ts";

/** A case of the CEL specification's conformance tests ("simple tests"). */
export interface ConformanceCase {
  /** File, section and name. */
  name: string;
  source: string;
  /** The variables that it names, as the evaluator has them. */
  bindings: ReadonlyMap<string, unknown>;
  /** The value that it must have; undefined where it must be an error. */
  value: { wanted: unknown } | undefined;
}

interface Suite {
  name: string;
  suites?: Suite[];
  tests?: { original: object }[];
}

/** A `SimpleTest` in the JSON of protocol buffers, as far as it is read here. */
interface SimpleTest {
  name: string;
  expr: string;
  container?: string;
  value?: ProtoValue;
  evalError?: unknown;
  bindings?: Readonly<Record<string, { value: ProtoValue }>>;
}

/** Files of cases about extensions that the product does not offer, and about what a type checker deduces. */
const otherFiles = /_ext$|^optionals$|^macros2$|^type_deductions$/;
/** What names a message of protocol buffers, or another of its values. */
const protobuf = /TestAllTypes|google\.protobuf|cel\.expr|objectValue|messageType|@type/;

function* walk(suite: Suite, path: readonly string[]): Generator<{ path: readonly string[]; test: SimpleTest }> {
  for (const { original } of suite.tests ?? []) yield { path, test: original as SimpleTest };
  for (const inner of suite.suites ?? []) yield* walk(inner, [...path, inner.name]);
}

const isWithoutProtobuf = (test: SimpleTest): boolean =>
  test.container === undefined && !protobuf.test(JSON.stringify(test));

/** Every case that needs no message of protocol buffers, of the files about the language itself. */
const core = [...walk(tests as Suite, [])].filter(
  ({ path, test }) => !otherFiles.test(path[0] ?? "") && isWithoutProtobuf(test),
);

const caseOf = ({ path, test }: (typeof core)[number]): ConformanceCase => ({
  name: [...path, test.name].join("/"),
  source: test.expr,
  bindings: new Map(Object.entries(test.bindings ?? {}).map(([name, { value }]) => [name, readValue(value)])),
  value: test.value && { wanted: readValue(test.value) },
});

/** Those that must give a value, and those that must be an error. */
export const valueCases = core.filter(({ test }) => test.value !== undefined).map(caseOf);
export const errorCases = core.filter(({ test }) => test.evalError !== undefined).map(caseOf);
