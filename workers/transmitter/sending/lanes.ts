import type { Metrics } from "../../../queues/metrics/metrics.ts";
import type { Steps } from "../../../queues/tracing/steps.ts";
import type { Place } from "../../../records/label-server-directory.ts";
import { labelKey, tenantOf } from "../../../schemas/keys.ts";
import type { LearntPace } from "../air/pace.ts";
import type { Answer, LabelServer, PageToSend } from "../drivers/label-server.ts";
import type { LabelServers } from "../servers/label-servers.ts";
import { createLane, type Held, type Lane, type PageOfLabel } from "./lane.ts";

/** The lanes to all label servers. */
export interface Lanes {
  to(labelServer: LabelServer): Lane;
  /** Returns the lane to a label's label server. */
  of(place: Place): Lane;
  /** Returns what the responses of each label server have shown. */
  learnt(): LearntPace[];
  close(): Promise<void>;
}

interface LanesOptions {
  labelServers: Pick<LabelServers, "of" | "all">;
  /** Maximum number of concurrent calls to each label server. */
  concurrency: number;
  clock(): number;
  metrics: Pick<Metrics, "count">;
  step: Steps["step"];
  /** Called with each response that is not followed by a report, and with the label server that gave it; must not throw. */
  onAnswer(sent: PageOfLabel, answer: Answer, labelServer: LabelServer): void;
  onRoom(): void;
  onUnsent(pages: readonly PageOfLabel[]): void;
}

/** Opens a lane to each label server when it is first needed. */
export function createLanes(options: LanesOptions): Lanes {
  const { labelServers, concurrency, clock, metrics, step, onAnswer, onRoom, onUnsent } = options;
  const lanes = new WeakMap<LabelServer, Lane>();
  const held: Held = { transmissions: 0 };

  function to(labelServer: LabelServer): Lane {
    const known = lanes.get(labelServer);
    if (known) return known;
    const lane = createLane({
      labelServer: { isAway: labelServer.isAway, sendPage: (page) => sendTraced(step, labelServer, page) },
      ...{ concurrency: labelServer.concurrency ?? concurrency, held, clock, onRoom, onUnsent },
      random: Math.random,
      // A resting lane does not keep the process alive.
      wakeAfter: (milliseconds, wake) => void setTimeout(wake, milliseconds).unref(),
      onAnswer(sent, answer) {
        // An accepted transmission is recorded by its report.
        if (answer.kind !== "accepted") onAnswer(sent, answer, labelServer);
        else metrics.count("shelfwire_pictures_transmitted_total", { tenant: tenantOf(sent.key) });
      },
    });
    lanes.set(labelServer, lane);
    return lane;
  }

  return {
    to,
    of: (place) => to(labelServers.of(place)),
    learnt: () => labelServers.all().flatMap((server) => lanes.get(server)?.learnt() ?? []),
    close: async () => void (await Promise.all(labelServers.all().map((server) => to(server).close()))),
  };
}

const KEEPS_NONE: Answer = { kind: "refused", reason: "the label server cannot keep pictures for a switch" };

function sendTraced(step: Steps["step"], labelServer: LabelServer, sent: PageToSend): Promise<Answer> {
  const { store, barcode, page, number, cause } = sent;
  const attributes = { label: labelKey(store, barcode), page, transmission: number };
  const faultOf = ({ kind }: Answer) => (kind === "accepted" ? undefined : kind);
  // Otherwise, the label would show the picture immediately.
  if (sent.switch !== undefined && labelServer.orderSwitch === undefined) return Promise.resolve(KEEPS_NONE);
  return step("transmit", cause ? [cause] : [], attributes, () => labelServer.sendPage(sent), faultOf);
}
