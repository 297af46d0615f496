import { wait } from "../call.ts";

/** Pause between two pictures, so that a phone stays cool. */
const LOOK_INTERVAL_MS = 150;
/** The code formats of labels and products. */
const FORMATS = ["code_128", "ean_13", "ean_8", "upc_a", "upc_e", "itf", "qr_code", "data_matrix"];

/** Finds codes in camera pictures. */
type Detect = (video: HTMLVideoElement) => Promise<string[]>;

interface NativeDetector {
  detect(video: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
interface NativeDetectors {
  new (options: { formats: readonly string[] }): NativeDetector;
  getSupportedFormats(): Promise<string[]>;
}

/** Thrown if the reader of codes, which is fetched on first use, cannot be loaded. */
export class NoReaderError extends Error {
  override readonly name = "NoReaderError";
}

/**
 * Shows the picture of the rear camera, and reports the codes in each picture until it is stopped. Throws if there is no
 * camera, if its use is not allowed, or if codes cannot be read (NoReaderError); the camera is then closed.
 */
export async function openCamera(video: HTMLVideoElement, tell: (codes: string[]) => void): Promise<() => void> {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } },
  });
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  };
  video.srcObject = stream;
  const detector = await video
    .play()
    .then(openDetector)
    .catch((error: unknown) => {
      stop();
      throw error;
    });
  const { detect, close } = detector;
  let isOpen = true;
  const look = async () => {
    for (; isOpen; await wait(LOOK_INTERVAL_MS)) {
      if (document.hidden || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) continue;
      const codes = await detect(video).catch(() => []);
      if (isOpen && codes.length > 0) tell(codes);
    }
  };
  void look();
  return () => {
    isOpen = false;
    close();
    stop();
  };
}

/**
 * Returns the browser's own detector if it reads the codes of labels and products; otherwise ZXing, which is fetched only
 * then.
 */
async function openDetector(): Promise<{ detect: Detect; close(): void }> {
  const { BarcodeDetector: Native } = globalThis as { BarcodeDetector?: NativeDetectors };
  const supported = (await Native?.getSupportedFormats().catch(() => [])) ?? [];
  if (Native !== undefined && ["code_128", "ean_13"].every((format) => supported.includes(format))) {
    const detector = new Native({ formats: FORMATS.filter((format) => supported.includes(format)) });
    const detect: Detect = async (video) => (await detector.detect(video)).map(({ rawValue }) => rawValue);
    return { detect, close: () => undefined };
  }
  const worker = new Worker(new URL("./decode-worker.ts", import.meta.url), { type: "module" });
  const isReady = await new Promise<boolean>((done) => {
    worker.onmessage = ({ data }) => done(data === "ready");
    worker.onerror = () => done(false);
  });
  if (!isReady) {
    worker.terminate();
    throw new NoReaderError("the reader of codes could not be loaded");
  }
  const detect: Detect = async (video) => {
    const picture = await createImageBitmap(video);
    return new Promise((done, failed) => {
      worker.onmessage = ({ data }: MessageEvent<string[]>) => done(data);
      worker.onerror = () => failed(new Error("the decoder failed"));
      worker.postMessage(picture, [picture]);
    });
  };
  return { detect, close: () => worker.terminate() };
}
