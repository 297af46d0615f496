/** Reads the codes in pictures with ZXing in a worker, so that the page never waits for it. */
const place = new URL("../zxing/reader/", import.meta.url);
const reader = import(new URL("index.js", place).href) as Promise<typeof import("zxing-wasm/reader")>;
const ready = reader.then(async ({ prepareZXingModule, readBarcodes }) => {
  const locateFile = (name: string) => new URL(name, place).href;
  await prepareZXingModule({ overrides: { locateFile }, fireImmediately: true });
  return readBarcodes;
});

ready.then(
  () => postMessage("ready"),
  () => postMessage("failed"),
);

const formats = ["Code128", "EAN13", "EAN8", "UPCA", "UPCE", "ITF", "QRCode", "DataMatrix"] as const;

addEventListener("message", async ({ data: picture }: MessageEvent<ImageBitmap>) => {
  const { width, height } = picture;
  const canvas = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  canvas?.drawImage(picture, 0, 0);
  picture.close();
  const pixels = canvas?.getImageData(0, 0, width, height);
  const readBarcodes = await ready;
  const found = pixels ? await readBarcodes(pixels, { formats: [...formats], tryHarder: true }).catch(() => []) : [];
  postMessage(found.filter(({ isValid }) => isValid).map(({ text }) => text));
});
