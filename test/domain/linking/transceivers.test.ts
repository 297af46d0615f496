import test from "ava";
import { transceiversOf } from "../../../domain/linking/transceivers.ts";

const departments = [
  { id: "1", alias: "sales-floor", transceivers: ["T1", "T2"] },
  { id: "2", alias: "warehouse", transceivers: ["T3", "T2"] },
  { id: "3", alias: "roof", transceivers: [] },
];

test("homeTrx takes precedence over linkDepartment, even in another department", (t) => {
  t.deepEqual(transceiversOf({ homeTrx: "T3", linkDepartment: "1" }, departments), ["T3"]);
});

test("an error names a homeTrx that is in no department", (t) => {
  t.deepEqual(transceiversOf({ homeTrx: "T9", linkDepartment: "1" }, departments), { unknownTransceiver: "T9" });
});

test("a department is found by ID or alias", (t) => {
  t.deepEqual(transceiversOf({ linkDepartment: "1" }, departments), ["T1", "T2"]);
  t.deepEqual(transceiversOf({ linkDepartment: "warehouse" }, departments), ["T3", "T2"]);
});

test("a department without an alias is found by its ID", (t) => {
  t.deepEqual(transceiversOf({ linkDepartment: "7" }, [...departments, { id: "7", transceivers: ["T7"] }]), ["T7"]);
});

test("an error names an unknown department; case matters", (t) => {
  for (const linkDepartment of ["4", "Warehouse", " 1", "undefined"]) {
    t.deepEqual(transceiversOf({ linkDepartment }, departments), { unknownDepartment: linkDepartment });
  }
});

test("without homeTrx and linkDepartment, all transceivers of the store serve the label, each once", (t) => {
  const absent = [{}, { homeTrx: "", linkDepartment: "" }, { homeTrx: null, linkDepartment: null }];
  for (const addressing of absent) t.deepEqual(transceiversOf(addressing, departments), ["T1", "T2", "T3"]);
});

test("a department without transceivers serves no label, whatever other departments have", (t) => {
  t.deepEqual(transceiversOf({ linkDepartment: "roof" }, departments), { none: true });
});

test("a store without transceivers serves no label", (t) => {
  t.deepEqual(transceiversOf({}, []), { none: true });
  t.deepEqual(transceiversOf({}, [{ id: "3", alias: "roof", transceivers: [] }]), { none: true });
  t.deepEqual(transceiversOf({ homeTrx: "T1" }, []), { unknownTransceiver: "T1" });
});

test("a missing department selects none, even if a department has no alias", (t) => {
  const bare = { id: "9", transceivers: ["T9"] };
  t.deepEqual(transceiversOf({}, [...departments, bare]), ["T1", "T2", "T3", "T9"]);
});

test("an ID takes precedence over another department's alias", (t) => {
  const shadow = { id: "8", alias: "1", transceivers: ["T8"] };
  t.deepEqual(transceiversOf({ linkDepartment: "1" }, [shadow, ...departments]), ["T1", "T2"]);
});
