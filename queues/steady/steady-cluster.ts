import { Cluster, type ClusterNode, type ClusterOptions, type Redis } from "ioredis";
import { CONNECTION_CLOSED } from "./connection-closed.ts";

/** A cluster with ioredis's private members, so that its faults can be fixed here. */
interface OpenCluster extends Omit<Cluster, "connect" | "disconnect" | "duplicate"> {
  startupNodes: ClusterNode[];
  connect(): Promise<void>;
  disconnect(reconnect?: boolean): void;
  setStatus(status: string): void;
  flushQueue(error: Error): void;
}
const Base = Cluster as unknown as new (nodes: ClusterNode[], options: ClusterOptions) => OpenCluster;

/** In these states, nothing is connected, so a close event comes from an earlier connection. */
const NOT_CONNECTED: readonly string[] = ["close", "reconnecting", "end"];

/**
 * A connection to a cluster that becomes ready again once the nodes are ready. It fixes faults of ioredis 6.0.0: every node
 * that ends after the first sets the status to "close" permanently; `connect` never settles if the nodes respond but the
 * cluster is down, and contacts only the nodes in the setting; `disconnect` never ends if nothing is connected, or if a command
 * is redirected in the meantime. BullMQ waits for all of these, so after a failover a queue stopped for as long as a node was
 * down, or forever.
 */
export class SteadyCluster extends Base {
  readonly #set: ClusterNode[];

  /**
   * Connects through any of `nodes`, and later through the setting's nodes (`set`) or any node that the cluster last named,
   * since the setting's node may be down.
   */
  constructor(nodes: ClusterNode[], options: ClusterOptions, set = nodes) {
    super(nodes, options);
    this.#set = set;
    this.on("refresh", () => {
      const named = this.nodes().map(({ options: { host = "", port = 0 } }) => ({ host, port }));
      this.startupNodes = [...set, ...named];
    });
    // A redirection that arrives after `disconnect` adds a node that would never be closed.
    this.on("+node", (node: Redis) => {
      if (this.status === "disconnecting") node.disconnect();
    });
  }

  override setStatus(status: string): void {
    if (status === "close" && NOT_CONNECTED.includes(this.status)) return;
    super.setStatus(status);
  }

  /** Rejects if the connection closes before it is ready; ioredis keeps trying by itself. */
  override async connect(): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>();
    const onClose = () => reject(new Error("the connection to the cluster closed before it was ready"));
    this.once("close", onClose);
    try {
      await Promise.race([super.connect(), promise]);
    } finally {
      this.removeListener("close", onClose);
    }
  }

  override disconnect(reconnect = false): void {
    const { status } = this;
    super.disconnect(reconnect);
    if (reconnect || !NOT_CONNECTED.includes(status)) return;
    this.setStatus("end");
    this.flushQueue(new Error(CONNECTION_CLOSED));
  }

  /**
   * Replaces ioredis's method, which would create a plain cluster. BullMQ calls it for the connection that waits for
   * jobs.
   */
  duplicate(nodes: ClusterNode[] = [], options: ClusterOptions = {}): SteadyCluster {
    const redisOptions = { ...this.options.redisOptions, ...options.redisOptions };
    const all = { ...this.options, ...options, redisOptions };
    return nodes.length > 0 ? new SteadyCluster(nodes, all) : new SteadyCluster(this.startupNodes, all, this.#set);
  }
}
