import { MultiBar, Presets } from "cli-progress";

/** Opens progress bars on standard error, because standard output belongs to the report. They are shown only to people. */
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
