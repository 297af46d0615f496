import test from "ava";
import { openDriver } from "../../../../workers/transmitter/drivers/open-driver.ts";

const world = {
  ...{ concurrency: 1, clock: () => 0, now: () => new Date(0) },
  ...{ onCall: () => {}, report: async () => true, served: async () => [], log: { warn: () => {} } },
};
const settings = { url: "http://127.0.0.1:9", secret: "a-secret-of-16-characters" };

test("a label server's record without a driver uses HTTP", async (t) => {
  const servers = [openDriver(settings, world), openDriver({ ...settings, driver: "http" }, world)];
  for (const server of servers) t.like(server, { address: settings.url, concurrency: undefined });
  await Promise.all(servers.map((server) => server.close()));
});
