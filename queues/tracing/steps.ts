import type { Logger } from "pino";
import { withCauses } from "../../runtime/causes.ts";
import type { Cause } from "../../schemas/cause.ts";
import type { Attributes, DoneStep, Tracing } from "./tracing.ts";

/** The steps that a price passes through: each is a span in the traces of its causes, and a log line at `debug`. */
export interface Steps {
  /** Runs work as a step; `faultOf` recognises a result that is a failure. Errors are rethrown. */
  step<T>(
    name: string,
    causes: readonly Cause[],
    attributes: Attributes,
    work: () => Promise<T>,
    faultOf?: (result: T) => string | undefined,
  ): Promise<T>;
  /** Records a step whose causes are known only when it ends. */
  noteStep(step: DoneStep): void;
}

export function createSteps({
  tracing,
  log,
  now,
}: {
  tracing: Pick<Tracing, "record">;
  log: Pick<Logger, "isLevelEnabled" | "debug">;
  now(): Date;
}): Steps {
  const noteStep: Steps["noteStep"] = (done) => {
    const { name, causes, attributes, from, fault } = done;
    tracing.record(done);
    if (!log.isLevelEnabled("debug")) return;
    const milliseconds = now().getTime() - from.getTime();
    withCauses(causes, () => log.debug({ step: name, ...attributes, milliseconds, fault }, "a step has ended"));
  };

  return {
    noteStep,
    async step(name, causes, attributes, work, faultOf = () => undefined) {
      const from = now();
      try {
        const result = await withCauses(causes, work);
        noteStep({ name, causes, attributes, from, fault: faultOf(result) });
        return result;
      } catch (error) {
        // Records only the error's name: its message may quote the data that could not be handled.
        noteStep({ name, causes, attributes, from, fault: (error as Error).name });
        throw error;
      }
    },
  };
}
