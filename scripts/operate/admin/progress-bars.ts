import { MultiBar, Presets } from "cli-progress";

/** Progress bars on standard error: standard output belongs to the report. They are shown only to a person. */
export function openBars(isShown: boolean) {
  let bars: MultiBar | undefined;
  return {
    progress(name: string, total: number): (done: number) => void {
      if (!isShown) return () => {};
      bars ??= new MultiBar(
        { format: "{name} [{bar}] {value}/{total}", stream: process.stderr, clearOnComplete: false },
        Presets.shades_grey,
      );
      const bar = bars.create(total, 0, { name });
      return (done) => bar.update(done);
    },
    stop: () => bars?.stop(),
  };
}
