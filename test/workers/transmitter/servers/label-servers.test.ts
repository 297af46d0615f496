import test from "ava";
import type { LabelServerDirectory } from "../../../../records/label-server-directory.ts";
import type { LinkDepartment } from "../../../../schemas/store.ts";
import type { LabelServer } from "../../../../workers/transmitter/drivers/label-server.ts";
import { createLabelServers, oneLabelServer } from "../../../../workers/transmitter/servers/label-servers.ts";
import { partOf } from "../../../harness/part-of.ts";

interface Named extends LabelServer {
  name: string;
  isClosed: boolean;
}

const driver = (name: string): Named => {
  const server: Named = {
    name,
    isClosed: false,
    isAway: () => false,
    failingSince: () => undefined,
    deniedSince: () => undefined,
    backSince: () => undefined,
    lastCalls: () => ({}),
    sendPage: async () => ({ kind: "accepted" }),
    sendOrder: async () => ({ kind: "accepted" }),
    close: async () => {
      server.isClosed = true;
    },
  };
  return server;
};

const A = "t/a/labelservers/own";
const HARBOUR = "t/a/s/harbour";

function withDirectory(servers: Record<string, string>, serverOf: Record<string, string>) {
  const directory = { current: toDirectory(servers, serverOf) };
  const installation = driver("installation");
  const labelServers = createLabelServers({
    installation,
    readDirectory: async () => directory.current,
    open: ({ url, secret }) => driver(`${url} ${secret}`),
  });
  const nameOf = (store: string) => (labelServers.of({ store }) as Named).name;
  return { directory, labelServers, installation, nameOf };
}

const record = (store: string, labelServer: string | undefined, linkDepartments: LinkDepartment[] = []) => ({
  ...{ _id: store, rev: 1, linkDepartments },
  ...(labelServer !== undefined && { labelServer }),
});

const toDirectory = (servers: Record<string, string>, serverOf: Record<string, string>): LabelServerDirectory => ({
  servers: new Map(Object.entries(servers).map(([key, url]) => [key, { url, secret: "secret" }])),
  serverOf: new Map(Object.entries(serverOf)),
  departmentsOf: new Map(),
  withSecret: new Map(),
});

test("a store is on the label server that it names, and any other store on the installation's", async (t) => {
  const { labelServers, nameOf } = withDirectory({ [A]: "http://a" }, { [HARBOUR]: A });
  await labelServers.refresh();
  t.is(nameOf(HARBOUR), "http://a secret");
  t.is(nameOf("t/a/s/market"), "installation");
});

test("until the assignment of stores is known, every label server counts as unreachable", (t) => {
  const { labelServers } = withDirectory({}, {});
  t.true(labelServers.of({ store: HARBOUR }).isAway());
  t.is(
    labelServers.ofStores(() => true),
    undefined,
  );
});

test("an unknown label server that a store names counts as unreachable, and no other receives its pictures", async (t) => {
  const { labelServers } = withDirectory({}, { [HARBOUR]: A });
  await labelServers.refresh();
  t.true(labelServers.of({ store: HARBOUR }).isAway());
  t.deepEqual(await labelServers.of({ store: HARBOUR }).sendOrder(partOf({})), { kind: "later", afterMs: 1000 });
});

test("a label server's new address opens a new client, and the old client is closed", async (t) => {
  const { directory, labelServers, nameOf } = withDirectory({ [A]: "http://a" }, { [HARBOUR]: A });
  await labelServers.refresh();
  const former = labelServers.of({ store: HARBOUR }) as Named;
  await labelServers.refresh();
  t.is(labelServers.of({ store: HARBOUR }), former);
  directory.current = toDirectory({ [A]: "http://b" }, { [HARBOUR]: A });
  await labelServers.refresh();
  t.is(nameOf(HARBOUR), "http://b secret");
  t.true(former.isClosed);
});

test("a query selects the stores whose label servers accept calls, whichever others do not", async (t) => {
  const { labelServers, installation } = withDirectory({ [A]: "http://a" }, { [HARBOUR]: A });
  await labelServers.refresh();
  t.deepEqual(
    labelServers.ofStores(() => true),
    {},
  );
  t.deepEqual(
    labelServers.ofStores((server) => server === installation),
    { store: { $nin: [HARBOUR] } },
  );
  t.deepEqual(
    labelServers.ofStores((server) => server !== installation),
    { store: { $in: [HARBOUR] } },
  );
  t.is(
    labelServers.ofStores(() => false),
    undefined,
  );
});

test("a store's record is compared with the known assignment", async (t) => {
  const { directory, labelServers } = withDirectory({ [A]: "http://a" }, { [HARBOUR]: A });
  t.false(labelServers.knows(record("t/a/s/market", "own")));
  await labelServers.refresh();
  t.true(labelServers.knows(record(HARBOUR, "own")));
  t.false(labelServers.knows(record(HARBOUR, undefined)));
  t.false(labelServers.knows(record("t/a/s/market", "own")));
  t.true(labelServers.knows(record("t/a/s/market", undefined)));
  const departments = [{ id: "food", transceivers: ["T1"] }];
  t.true(labelServers.knows(record(HARBOUR, "own", departments)), "none of them names a label server");
  const divided = departments.map((department) => ({ ...department, labelServer: "own" }));
  t.false(labelServers.knows(record(HARBOUR, "own", divided)));
  directory.current = { ...directory.current, departmentsOf: new Map([[HARBOUR, divided]]) };
  await labelServers.refresh();
  t.true(labelServers.knows(record(HARBOUR, "own", divided)));
  t.false(labelServers.knows(record(HARBOUR, "own", departments)));
});

test("every client is named after its key, and all are closed together", async (t) => {
  const { labelServers, installation } = withDirectory({ [A]: "http://a" }, { [HARBOUR]: A });
  t.deepEqual(labelServers.known(), [["", installation]]);
  await labelServers.refresh();
  const own = labelServers.of({ store: HARBOUR }) as Named;
  t.deepEqual(labelServers.known(), [
    ["", installation],
    [A, own],
  ]);
  const all = labelServers.all() as Named[];
  t.is(all.length, 3);
  t.true(all.includes(installation) && all.includes(own));
  await labelServers.close();
  t.true(own.isClosed);
});

test("transmissions to an unknown label server are postponed", async (t) => {
  const { labelServers } = withDirectory({}, {});
  const [, unknown] = labelServers.all();
  t.deepEqual(await unknown?.sendPage(partOf({})), { kind: "later", afterMs: 1000 });
  t.is(unknown?.failingSince(), undefined);
  await unknown?.close();
});

test("a changed secret opens a new client, the replaced one may still report, and removing the label server closes the new one", async (t) => {
  const { directory, labelServers } = withDirectory({ [A]: "http://a" }, { [HARBOUR]: A });
  await labelServers.refresh();
  const former = labelServers.of({ store: HARBOUR }) as Named;
  directory.current = { ...directory.current, servers: new Map([[A, { url: "http://a", secret: "another" }]]) };
  await labelServers.refresh();
  const next = labelServers.of({ store: HARBOUR }) as Named;
  t.is(next.name, "http://a another");
  t.deepEqual([former.isClosed, next.isClosed], [true, false]);
  const places = [{ store: HARBOUR }, { store: "t/a/s/market" }];
  t.deepEqual(await labelServers.served(former, places), [{ store: HARBOUR }]);
  directory.current = toDirectory({}, {});
  await labelServers.refresh();
  t.true(next.isClosed);
});

test("without other assignments one label server serves every store", async (t) => {
  const server = driver("only");
  const one = oneLabelServer(server);
  t.is(one.of({ store: HARBOUR }), server);
  t.true(one.knows(record(HARBOUR, "own")));
  t.deepEqual(one.all(), [server]);
  t.deepEqual(one.known(), [["", server]]);
  t.deepEqual(
    one.ofStores(() => true),
    {},
  );
  t.is(
    one.ofStores(() => false),
    undefined,
  );
});

test("behind a broker each store has its own gateway", async (t) => {
  const gateways = new Map([HARBOUR, "t/a/s/market"].map((store) => [store, driver(`gateway of ${store}`)]));
  const of = (store: string) => gateways.get(store) ?? driver("another");
  const labelServers = createLabelServers({
    installation: driver("installation"),
    readDirectory: async () => toDirectory({ [A]: "mqtt://a" }, { [HARBOUR]: A, "t/a/s/market": A }),
    open: () => ({ ...driver("broker"), gateways: { of, all: () => [...gateways.values()], offlineSince: () => [] } }),
  });
  await labelServers.refresh();
  t.is(labelServers.of({ store: HARBOUR }), of(HARBOUR));
  t.is(labelServers.of({ store: "t/a/s/market" }), of("t/a/s/market"));
  t.true([...gateways.values()].every((gateway) => labelServers.all().includes(gateway)));
  const onlyHarbour = labelServers.ofStores((server) => server === of(HARBOUR));
  t.deepEqual(onlyHarbour, { store: { $in: [HARBOUR] } });
});

test("a store that has just moved to a label server is served by that label server", async (t) => {
  const { directory, labelServers } = withDirectory({ [A]: "http://a" }, {});
  await labelServers.refresh();
  const own = labelServers.known()[1]?.[1] ?? driver("none");
  const places = [{ store: HARBOUR }, { store: "t/a/s/market" }];
  t.deepEqual(await labelServers.served(own, places), []);
  directory.current = toDirectory({ [A]: "http://a" }, { [HARBOUR]: A });
  t.deepEqual(await labelServers.served(own, places), [{ store: HARBOUR }]);
});

test("in a divided store each label is on its department's label server, or on the store's", async (t) => {
  const B = "t/a/labelservers/shelf";
  const { directory, labelServers, installation } = withDirectory({ [A]: "http://a", [B]: "http://b" }, {});
  const departments = [
    { id: "food", transceivers: ["T1"], labelServer: "own" },
    { id: "roof", alias: "top", transceivers: ["T2"], labelServer: "shelf" },
    { id: "rest", transceivers: ["T3"] },
  ];
  directory.current = { ...directory.current, departmentsOf: new Map([[HARBOUR, departments]]) };
  await labelServers.refresh();
  t.deepEqual([labelServers.isDivided(HARBOUR), labelServers.isDivided("t/a/s/market")], [true, false]);
  const places = [{ linkDepartment: "food" }, { homeTrx: "T2" }, { linkDepartment: "rest" }, {}].map((place) => ({
    ...{ store: HARBOUR, ...place },
  }));
  t.deepEqual(places.map(labelServers.nameOf), ["own", "shelf", undefined, undefined]);
  const servers = places.map(labelServers.of);
  const [food, roof] = servers;
  t.deepEqual(servers, [food, roof, installation, installation]);
  t.not(food, roof);
  t.deepEqual(food && (await labelServers.served(food, places)), places.slice(0, 1));
  // A query covers the store if it selects any of the store's label servers.
  for (const one of [food, roof])
    t.deepEqual(
      labelServers.ofStores((server) => server === one),
      { store: { $in: [HARBOUR] } },
    );
  t.deepEqual(
    labelServers.ofStores((server) => server === installation),
    {},
  );
});
