import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test from "ava";
import {
  accessPointAt,
  MAX_RESPONSE_BYTES,
} from "../../../../../workers/transmitter/drivers/openepaperlink/access-point.ts";
import { eventually } from "../../../../harness/eventually.ts";

test("a response that never ends is read only up to the limit", async (t) => {
  let isEnded = false;
  const server = createServer((_, response) => {
    response.on("close", () => {
      isEnded = true;
    });
    const write = () => {
      while (!isEnded && response.write(" ".repeat(65_536)));
      if (!isEnded) response.once("drain", write);
    };
    write();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => void server.close());
  const accessPoint = accessPointAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await t.throwsAsync(accessPoint.readTags(), {
    message: `the response to /get_db is longer than ${MAX_RESPONSE_BYTES} bytes`,
  });
  await accessPoint.close();
  await eventually("the connection is closed", async () => isEnded);
});
