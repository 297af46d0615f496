import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort, onFreePort } from "../../scripts/start/ports.ts";
import { type Server, startRedis } from "../../scripts/start/servers.ts";
import { eventually } from "./eventually.ts";

const makeFolder = (): string => mkdtempSync(join(tmpdir(), "shelfwire-redis-"));

/** A Redis that takes TLS only, with a certificate that it has signed itself. */
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

/** A cluster of two nodes, each with half of the slots. */
export async function openRedisCluster(): Promise<Server> {
  const folder = makeFolder();
  const options = (port: number, busPort: number) => [
    ...["--cluster-enabled", "yes", "--cluster-port", String(busPort)],
    ...["--dir", folder, "--cluster-config-file", `${port}.conf`],
  ];
  const nodes: Server[] = [];
  for (let node = 0; node < 2; node += 1)
    nodes.push(await onFreePort(async (port) => startRedis(port, undefined, options(port, await freePort()))));
  const clients = nodes.map(({ url }) => new Redis(url));
  const [first, second] = clients;
  await first?.call("CLUSTER", "ADDSLOTSRANGE", 0, 8191);
  await second?.call("CLUSTER", "ADDSLOTSRANGE", 8192, 16_383);
  const busPort = String(await second?.call("CONFIG", "GET", "cluster-port")).split(",")[1] ?? "";
  await first?.call("CLUSTER", "MEET", "127.0.0.1", new URL(nodes[1]?.url ?? "").port, busPort);
  await eventually("each node knows all slots", async () => {
    const states = await Promise.all(clients.map((client) => client.call("CLUSTER", "INFO")));
    return states.every(
      (state) => /cluster_state:ok/.test(String(state)) && /cluster_slots_ok:16384/.test(String(state)),
    );
  });
  for (const client of clients) client.disconnect();
  return withFolder(nodes, folder);
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
