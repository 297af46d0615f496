import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { ensureRedisServer } from "../../../scripts/prepare/redis.mjs";
import { guard } from "../../../scripts/start/guard.ts";
import { freePort, isFree, onFreePort, PortTakenError } from "../../../scripts/start/ports.ts";
import { type Server, startRedis } from "../../../scripts/start/servers.ts";
import { eventually } from "../eventually.ts";

const makeFolder = (): string => mkdtempSync(join(tmpdir(), "shelfwire-redis-"));

/** Starts a Redis that accepts only TLS, with a self-signed certificate. */
export async function openTlsRedis(): Promise<Server> {
  const folder = makeFolder();
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const algorithm = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  const order = ["req", "-x509", ...algorithm, "-nodes", "-days", "2", "-subj", "/CN=redis"];
  execFileSync("openssl", [...order, "-keyout", key, "-out", certificate], { stdio: "ignore" });
  const files = ["--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", certificate];
  const server = await onFreePort((port) =>
    startRedis(port, undefined, ["--port", "0", "--tls-port", String(port), ...files, "--tls-auth-clients", "no"]),
  );
  return withFolder([server], folder);
}

/** A node of a cluster. Its data is stored on disk and survives a restart. */
export interface ClusterNode {
  url: string;
  /** Kills the process without warning; its data stays. */
  kill(): Promise<void>;
  /** Starts the node again on its port. */
  start(): Promise<void>;
}

/** A cluster on this machine. `url` is its first node's address. */
export interface RedisCluster extends Server {
  /** The masters, each with the same number of slots, followed by one replica of each if there are any. */
  nodes: readonly ClusterNode[];
}

const SLOTS = 16_384;
const MASTERS = 3;

/** Starts a cluster of three masters, each with one replica if `withReplicas` is true. */
export async function openRedisCluster(withReplicas = false): Promise<RedisCluster> {
  const folder = makeFolder();
  const servers: Server[] = [];
  for (let index = 0; index < (withReplicas ? 2 * MASTERS : MASTERS); index += 1)
    servers.push(await onFreePort(async (port) => startNode(folder, port, await freePort())));
  const clients = servers.map(({ url }) => new Redis(url));
  await meet(clients.slice(0, MASTERS), clients.slice(MASTERS));
  for (const client of clients) client.disconnect();
  const nodes = servers.map((_, index) => nodeOf(servers, index, folder));
  return { ...withFolder(servers, folder), nodes };
}

async function startNode(folder: string, port: number, busPort: number): Promise<Server> {
  const options = [
    "--cluster-enabled",
    "yes",
    "--cluster-port",
    String(busPort),
    "--cluster-config-file",
    "nodes.conf",
  ];
  try {
    return await startRedis(port, join(folder, String(port)), options);
  } catch (error) {
    throw (await isFree(busPort)) ? error : new PortTakenError(`port ${busPort} is taken`);
  }
}

/** Returns a server of the list as a node. Each start of the node puts a new server in the list. */
function nodeOf(servers: Server[], index: number, folder: string): ClusterNode {
  const { url } = servers[index] as Server;
  const port = Number(new URL(url).port);
  return {
    url,
    kill: () => (servers[index] as Server).kill(),
    async start() {
      servers[index] = await onFreePort((busPort) => startNode(folder, port, busPort));
    },
  };
}

/** Divides the slots among the masters, and makes each replica follow the master at the same position. */
async function meet(masters: readonly Redis[], replicas: readonly Redis[]): Promise<void> {
  const all = [...masters, ...replicas];
  const [first] = masters;
  const firstSlot = (index: number) => Math.ceil((index * SLOTS) / masters.length);
  for (const [index, master] of masters.entries())
    await master.call("CLUSTER", "ADDSLOTSRANGE", firstSlot(index), firstSlot(index + 1) - 1);
  for (const other of all.slice(1)) {
    const busPort = String(await other.call("CONFIG", "GET", "cluster-port")).split(",")[1] ?? "";
    await first?.call("CLUSTER", "MEET", "127.0.0.1", String(other.options.port), busPort);
  }
  await eventually("each node knows all nodes", async () => {
    const known = await Promise.all(all.map(async (node) => String(await node.call("CLUSTER", "NODES"))));
    return known.every((list) => list.trim().split("\n").length === all.length && !list.includes("handshake"));
  });
  for (const [index, replica] of replicas.entries())
    await replica.call("CLUSTER", "REPLICATE", String(await masters[index]?.call("CLUSTER", "MYID")));
  await eventually("each node knows every node's slots, and each replica is up to date", async () => {
    const states = await Promise.all(all.map((node) => node.call("CLUSTER", "INFO")));
    const slots = await Promise.all(all.map(async (node) => (await node.call("CLUSTER", "SLOTS")) as unknown[][]));
    const links = await Promise.all(replicas.map((node) => node.info("replication")));
    const servers = all.length / masters.length;
    return (
      states.every((state) => /cluster_state:ok/.test(String(state))) &&
      slots.every(
        (ranges) => ranges.length === masters.length && ranges.every(({ length }) => length === 2 + servers),
      ) &&
      links.every((link) => /master_link_status:up/.test(link))
    );
  });
}

/** A master and a replica that three Sentinels monitor. `url` names neither, since the Sentinels do. */
export interface MonitoredRedis extends Server {
  /** The settings by which a process finds the master. */
  settings: Record<"REDIS_SENTINELS" | "REDIS_SENTINEL_MASTER" | "REDIS_SENTINEL_PASSWORD", string>;
  /** Kills the current master without warning. */
  killMaster(): Promise<void>;
}

const SENTINELS = 3;
const QUORUM = 2;
const DOWN_AFTER_MS = 1_000;
const FAILOVER_TIMEOUT_MS = 3_000;
const MASTER = "shop";
const PASSWORD = "of-the-sentinels";

export async function openMonitoredRedis(): Promise<MonitoredRedis> {
  const folder = makeFolder();
  const startIn = (name: string, further: string[] = []) =>
    onFreePort((port) => startRedis(port, join(folder, name), further));
  const master = await startIn("master");
  const masterPort = new URL(master.url).port;
  const servers = [master, await startIn("replica", ["--replicaof", "127.0.0.1", masterPort])];
  const sentinels = await Promise.all(
    Array.from({ length: SENTINELS }, () => onFreePort((port) => startSentinel(folder, port, masterPort))),
  );
  const clients = sentinels.map(({ client }) => client);
  const [client] = clients as [Redis, ...Redis[]];
  await eventually("each Sentinel knows the replica and the other Sentinels", async () => {
    const known = await Promise.all(clients.map((one) => one.call("SENTINEL", "MASTER", MASTER) as Promise<string[]>));
    return known.every(
      (fields) => fieldOf(fields, "num-slaves") === "1" && fieldOf(fields, "num-other-sentinels") === "2",
    );
  });
  const end = async (how: "kill" | "stop") => {
    for (const one of clients) one.disconnect();
    for (const { child } of sentinels) child.kill("SIGKILL");
    await withFolder(servers, folder)[how]();
  };
  return {
    ...master,
    url: "redis://named-by-sentinels.invalid",
    settings: {
      REDIS_SENTINELS: sentinels.map(({ port }) => `127.0.0.1:${port}`).join(", "),
      REDIS_SENTINEL_MASTER: MASTER,
      REDIS_SENTINEL_PASSWORD: PASSWORD,
    },
    async killMaster() {
      const [, port] = (await client.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER)) as [string, string];
      await servers.find(({ url }) => new URL(url).port === port)?.kill();
    },
    kill: () => end("kill"),
    stop: () => end("stop"),
  };
}

const fieldOf = (fields: readonly string[], name: string): string | undefined => fields[fields.indexOf(name) + 1];

/** Starts a Sentinel, which keeps what it learns in its file, and connects to it. */
async function startSentinel(folder: string, port: number, masterPort: string) {
  const file = join(folder, `sentinel-${port}.conf`);
  const lines = [
    ...[`port ${port}`, "bind 127.0.0.1", `dir ${folder}`, `requirepass ${PASSWORD}`],
    `sentinel monitor ${MASTER} 127.0.0.1 ${masterPort} ${QUORUM}`,
    `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER} ${FAILOVER_TIMEOUT_MS}`,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const child = spawn(ensureRedisServer().program, [file, "--sentinel"], { stdio: "ignore", detached: true });
  guard(child);
  const client = new Redis({ port, password: PASSWORD });
  // It starts to listen a moment later.
  client.on("error", () => {});
  const ended = once(child, "exit").then(() => "ended");
  const seen = await eventually("the Sentinel answers or has ended", () =>
    Promise.race([ended, client.call("SENTINEL", "MYID")]),
  );
  if (seen === "ended") {
    client.disconnect();
    throw (await isFree(port)) ? new Error("a Sentinel ended") : new PortTakenError(`port ${port} is taken`);
  }
  return { port, child, client };
}

function withFolder(nodes: readonly Server[], folder: string): Server {
  const [first] = nodes;
  if (first === undefined) throw new Error("no node was started");
  const end = async (how: "kill" | "stop") => {
    await Promise.all(nodes.map((node) => node[how]()));
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...first, kill: () => end("kill"), stop: () => end("stop") };
}
