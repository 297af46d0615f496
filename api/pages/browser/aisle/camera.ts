import { wait } from "../call.ts";

/** Pauses between two pictures, so that a phone stays cool. */
const LOOK_INTERVAL_MS = 150;
/** The formats that labels and products have. */
const FORMATS = ["code_128", "ean_13", "ean_8", "upc_a", "upc_e", "itf", "qr_code", "data_matrix"];

/** Finds the codes in what a camera sees. */
type Detect = (video: HTMLVideoElement) => Promise<string[]>;

interface NativeDetector {
  detect(video: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
interface NativeDetectors {
  new (options: { formats: readonly string[] }): NativeDetector;
  getSupportedFormats(): Promise<string[]>;
}

/** Shows what the camera at the back sees, and tells the codes of each picture until it is stopped. */
export async function openCamera(video: HTMLVideoElement, tell: (codes: string[]) => void): Promise<() => void> {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } },
  });
  video.srcObject = stream;
  await video.play();
  const { detect, close } = await openDetector();
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
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  };
}

/** The browser's own detector where it reads the codes of labels and products; else ZXing, fetched only then. */
async function openDetector(): Promise<{ detect: Detect; close(): void }> {
  const { BarcodeDetector: Native } = globalThis as { BarcodeDetector?: NativeDetectors };
  const supported = (await Native?.getSupportedFormats().catch(() => [])) ?? [];
  if (Native !== undefined && ["code_128", "ean_13"].every((format) => supported.includes(format))) {
    const detector = new Native({ formats: FORMATS.filter((format) => supported.includes(format)) });
    const detect: Detect = async (video) => (await detector.detect(video)).map(({ rawValue }) => rawValue);
    return { detect, close: () => undefined };
  }
  const worker = new Worker(new URL("./decode-worker.ts", import.meta.url), { type: "module" });
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
