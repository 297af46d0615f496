import test from "ava";
import { isDivided, labelServerOf, labelServersOf } from "../../../domain/linking/label-server-of.ts";

const linkDepartments = [
  { id: "food", alias: "hall", transceivers: ["T1", "T2"], labelServer: "cellar" },
  { id: "wine", transceivers: ["T3", "T2"], labelServer: "shelf" },
  { id: "hall", transceivers: ["T4"] },
];
const store = { labelServer: "own", linkDepartments };

test("a label's label server is found by the department of its home transceiver, then by its own department, then by the store", (t) => {
  const chosen = [
    [{ homeTrx: "T1" }, "cellar"],
    [{ homeTrx: "T3", linkDepartment: "food" }, "shelf"],
    // If several departments list the transceiver, the label's own department counts if it is among them, otherwise the first.
    [{ homeTrx: "T2", linkDepartment: "wine" }, "shelf"],
    [{ homeTrx: "T2" }, "cellar"],
    // A department without a label server uses the store's label server.
    [{ homeTrx: "T4", linkDepartment: "food" }, "own"],
    [{ homeTrx: "T9", linkDepartment: "wine" }, "shelf"],
    [{ linkDepartment: "wine" }, "shelf"],
    // An ID takes precedence over an alias.
    [{ linkDepartment: "hall" }, "own"],
    [{ linkDepartment: "unknown" }, "own"],
    [{ homeTrx: "", linkDepartment: null }, "own"],
    [{}, "own"],
  ] as const;
  for (const [label, server] of chosen) t.is(labelServerOf(label, store), server, JSON.stringify(label));
});

test("a department is found by its alias, and if the store names no label server, the installation's label server is used", (t) => {
  const aliased = [{ id: "1", alias: "roof", transceivers: [], labelServer: "shelf" }];
  t.is(labelServerOf({ linkDepartment: "roof" }, { linkDepartments: aliased }), "shelf");
  t.is(labelServerOf({}, { linkDepartments: aliased }), undefined);
});

test("a store is divided if a department names a label server, and each of its label servers is listed once", (t) => {
  t.true(isDivided(store));
  t.false(isDivided({ linkDepartments: [{ id: "1", transceivers: [] }] }));
  t.deepEqual(labelServersOf(store), ["own", "cellar", "shelf"]);
  t.deepEqual(labelServersOf({ labelServer: "cellar", linkDepartments }), ["cellar", "shelf"]);
  t.deepEqual(labelServersOf({ linkDepartments }), [undefined, "cellar", "shelf"]);
});
