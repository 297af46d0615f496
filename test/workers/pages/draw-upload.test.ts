import test from "ava";
import { ThreadError } from "../../../runtime/thread/thread.ts";
import { drawUpload } from "../../../workers/pages/draw-upload.ts";

const drawing = (error: Error) =>
  drawUpload(
    { readUpload: async () => Buffer.from("file"), drawPages: () => Promise.reject(error), isUnavailable: () => false },
    "t/demo/s/main",
    { upload: "upload", resize: 0 },
    [],
  );

test("an upload that exceeds a limit cannot be drawn, but one for which a busy machine had no time is drawn later", async (t) => {
  t.is(
    await drawing(new ThreadError("it takes more than 20 seconds of processor time")),
    "the image cannot be decoded: it takes more than 20 seconds of processor time",
  );
  const late = new ThreadError("it takes longer than 30 seconds", true);
  t.is(await t.throwsAsync(() => drawing(late)), late);
});
