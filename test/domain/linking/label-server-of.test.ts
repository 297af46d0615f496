import test from "ava";
import { isDivided, labelServerOf, labelServersOf } from "../../../domain/linking/label-server-of.ts";

const linkDepartments = [
  { id: "food", alias: "hall", transceivers: ["T1", "T2"], labelServer: "cellar" },
  { id: "wine", transceivers: ["T3", "T2"], labelServer: "shelf" },
  { id: "hall", transceivers: ["T4"] },
];
const store = { labelServer: "own", linkDepartments };

test("the department of the home transceiver chooses a label's label server, then its own, then the store", (t) => {
  const chosen = [
    [{ homeTrx: "T1" }, "cellar"],
    [{ homeTrx: "T3", linkDepartment: "food" }, "shelf"],
    // Several departments list it: the label's own, or else the first.
    [{ homeTrx: "T2", linkDepartment: "wine" }, "shelf"],
    [{ homeTrx: "T2" }, "cellar"],
    // A department without a label server is on that of the store.
    [{ homeTrx: "T4", linkDepartment: "food" }, "own"],
    [{ homeTrx: "T9", linkDepartment: "wine" }, "shelf"],
    [{ linkDepartment: "wine" }, "shelf"],
    // An id wins over an alias.
    [{ linkDepartment: "hall" }, "own"],
    [{ linkDepartment: "unknown" }, "own"],
    [{ homeTrx: "", linkDepartment: null }, "own"],
    [{}, "own"],
  ] as const;
  for (const [label, server] of chosen) t.is(labelServerOf(label, store), server, JSON.stringify(label));
});

test("a department is found by its alias, and without a label server of the store the installation's is used", (t) => {
  const aliased = [{ id: "1", alias: "roof", transceivers: [], labelServer: "shelf" }];
  t.is(labelServerOf({ linkDepartment: "roof" }, { linkDepartments: aliased }), "shelf");
  t.is(labelServerOf({}, { linkDepartments: aliased }), undefined);
});

test("a store is divided if a department names a label server, and its label servers are listed once", (t) => {
  t.true(isDivided(store));
  t.false(isDivided({ linkDepartments: [{ id: "1", transceivers: [] }] }));
  t.deepEqual(labelServersOf(store), ["own", "cellar", "shelf"]);
  t.deepEqual(labelServersOf({ labelServer: "cellar", linkDepartments }), ["cellar", "shelf"]);
  t.deepEqual(labelServersOf({ linkDepartments }), [undefined, "cellar", "shelf"]);
});
