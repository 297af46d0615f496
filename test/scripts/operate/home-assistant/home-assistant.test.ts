import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { connectAsync } from "mqtt";
import { Shelfwire } from "../../../../docs/typescript-client/index.ts";
import { eventually } from "../../../harness/eventually.ts";
import { labelFor } from "../../../harness/glass.ts";
import { openMosquitto } from "../../../harness/label-servers/mosquitto.ts";
import { startProcess } from "../../../harness/processes/own-process.ts";
import { servedStack } from "../../../harness/served-stack.ts";

const served = servedStack();
const TREE = "shelfwire-labels/demo/main";
const users = { bridge: "of-the-bridge", home: "of-home-assistant" };

test("labels are devices with a state and a picture, follow their prices, and accept a price if this is allowed", async (t) => {
  const broker = await openMosquitto({ users });
  const folder = mkdtempSync(join(tmpdir(), "shelfwire-home-"));
  t.teardown(async () => {
    await broker.close();
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, "password"), `${users.bridge}\n`);
  const store = new Shelfwire({ store: `${served.origin}/t/demo/s/main`, token: await served.token() });
  const barcode = labelFor("home");
  await store.patchItems([{ itemId: "h1", itemName: "Kruh", price: "1.99" }]);
  await eventually("the label is linked", async () => {
    const { status } = await store.linkLabel({ barcode, itemId: "h1", plLocation: "Kitchen" }, 30_000);
    return status === "LINKED";
  });

  const home = await connectAsync(broker.url, { protocolVersion: 5, username: "home", password: users.home });
  const topics = new Map<string, Buffer>();
  home.on("message", (topic, payload) => void topics.set(topic, payload));
  await home.subscribeAsync(["homeassistant/#", `${TREE}/#`], { qos: 1 });
  t.teardown(() => home.endAsync(true));
  const config = `homeassistant/device/shelfwire_demo_main_${barcode}/config`;
  const json = (topic: string) => JSON.parse(topics.get(topic)?.toString() || "{}");
  const label = `${TREE}/labels/${barcode}`;
  const price = () => json(`${label}/state`).price;

  // The device of a removed label, as an earlier process left it, and a device of another program.
  const gone = "homeassistant/device/shelfwire_demo_main_D4GONE/config";
  const left = { state_topic: `${TREE}/labels/D4GONE/state`, device: { serial_number: "D4GONE" } };
  await home.publishAsync(gone, JSON.stringify(left), { qos: 1, retain: true });
  await home.publishAsync("homeassistant/device/other/config", "{}", { qos: 1, retain: true });
  // A price that the broker retained was meant for an earlier time.
  await home.publishAsync(`${label}/price/set`, "0.01", { qos: 1, retain: true });

  const bridge = startProcess(
    t,
    [
      ...["scripts/operate/home-assistant.ts", "--origin", served.origin, "--token", await served.token()],
      ...["--broker", broker.url, "--broker-user", "bridge", "--broker-password-file", join(folder, "password")],
      ...["--location", "Kitchen", "--allow-prices"],
    ],
    { LOG_LEVEL: "warn" },
  );
  await eventually("the removed label's device is deleted", async () => topics.get(gone)?.length === 0);
  t.like(json(config), {
    device: { serial_number: barcode, suggested_area: "Kitchen" },
    state_topic: `${label}/state`,
  });
  t.like(json(`${label}/state`), { state: "OK", item: "Kruh", price: "1.99", itemId: "h1" });
  t.deepEqual(topics.get(`${label}/picture`), Buffer.from(await store.labelImage(barcode)));
  t.is(topics.get(`${TREE}/state`)?.toString(), "online");
  t.deepEqual([...topics.keys()].filter((topic) => topic.startsWith("homeassistant")).length, 3);

  await store.patchItems([{ itemId: "h1", price: "2.49" }]);
  await eventually("the price follows", async () => price() === "2.49");
  await home.publishAsync(`${label}/price/set`, "2.99", { qos: 1 });
  await eventually("the price is set", async () => price() === "2.99");
  await home.publishAsync(`${label}/price/set`, "cheap", { qos: 1 });
  await eventually("a command that is not a price is refused", async () =>
    bridge.output().includes("a price must be a number"),
  );
  t.is((await store.item("h1")).price, "2.99");

  await bridge.terminate();
  await eventually(
    "the connector reports that it is offline",
    async () => topics.get(`${TREE}/state`)?.toString() === "offline",
  );
});
