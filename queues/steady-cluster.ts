import { Cluster, type ClusterNode, type ClusterOptions } from "ioredis";

/** A cluster with the private members of ioredis, so that it can be fixed here. */
interface OpenCluster extends Omit<Cluster, "connect" | "duplicate"> {
  startupNodes: ClusterNode[];
  connect(): Promise<void>;
  setStatus(status: string): void;
}
const Base = Cluster as unknown as new (nodes: ClusterNode[], options: ClusterOptions) => OpenCluster;

/** In these states nothing is connected: any other close belongs to an earlier connection. */
const NOT_CONNECTED: readonly string[] = ["close", "reconnecting", "end"];

/**
 * A connection to a cluster that is ready again once its nodes are. In ioredis 6.0.0 every node that ends after the
 * first sets the status to "close", which nothing leaves; and `connect` never settles if the nodes respond but the
 * cluster is down. BullMQ waits for both, so a queue stopped after a node had been down for seconds.
 */
export class SteadyCluster extends Base {
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

  /**
   * Replaces ioredis's method, which would create a plain cluster. BullMQ calls it for the connection that waits for
   * jobs.
   */
  duplicate(nodes: ClusterNode[] = [], options: ClusterOptions = {}): SteadyCluster {
    const redisOptions = { ...this.options.redisOptions, ...options.redisOptions };
    return new SteadyCluster(nodes.length > 0 ? nodes : this.startupNodes, {
      ...this.options,
      ...options,
      redisOptions,
    });
  }
}
