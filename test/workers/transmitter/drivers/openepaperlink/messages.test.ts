import test from "ava";
import { comparableMac } from "../../../../../schemas/mac.ts";
import {
  batteryOf,
  type Message,
  readMessage,
} from "../../../../../workers/transmitter/drivers/openepaperlink/messages.ts";

const MAC = "00000218D6C53B19";
const lines: [rule: string, message: object, meaning: Message | undefined][] = [
  ["a picture was fetched", { logMsg: `${MAC} reports xfer complete` }, { kind: "complete", mac: MAC }],
  ["a tag did not fetch it in time", { errMsg: `< ${MAC} xfer timeout` }, { kind: "timeout", mac: MAC }],
  [
    "an address of 12 digits names the same tag",
    { logMsg: "0218D6C53B19 reports xfer complete" },
    { kind: "complete", mac: MAC },
  ],
  ["nothing is new", { logMsg: "new image is the same as current image. not updating tag." }, { kind: "unchanged" }],
  ["it restarts", { errMsg: "REBOOTING" }, { kind: "rebooting" }],
  ["other lines are ignored", { logMsg: "Reading config file" }, undefined],
  ["the access point's own state is ignored", { sys: { heap: 1 } }, undefined],
];
for (const [rule, message, meaning] of lines)
  test(`a message: ${rule}`, (t) => t.deepEqual(readMessage(JSON.stringify(message)), meaning));

test("a message that is not a JSON object is ignored", (t) => {
  for (const text of ["", "{", "7", "null", '"x"', "[]"]) t.is(readMessage(text), undefined, text);
});

test("a tag's missing values are left out", (t) => {
  const entry = { mac: MAC, pending: 1, updatecount: 7, hwType: 51, lastseen: 1700000000, batteryMv: 2600, ver: 29 };
  t.deepEqual(readMessage(JSON.stringify({ tags: [entry, { alias: "no address" }] })), {
    kind: "tags",
    tags: [
      {
        ...{ mac: MAC, pending: 1, updateCount: 7, hardwareType: 51 },
        ...{ firmware: "29", lastSeen: 1700000000, batteryMillivolts: 2600 },
      },
    ],
  });
});

test("a tag's temperature is read, and omitted if no tag can measure it", (t) => {
  const temperatures = [21, -18, 0, 200, "21", undefined].map((temperature) => {
    const message = readMessage(JSON.stringify({ tags: [{ mac: MAC, temperature }] }));
    return message?.kind === "tags" ? message.tags[0]?.temperature : "no tag";
  });
  t.deepEqual(temperatures, [21, -18, 0, undefined, undefined, undefined]);
});

test("a battery is LOW below 2400 mV, and unknown if the value means that there is none", (t) => {
  const states = [2399, 2400, 0, 1337].map((batteryMv) => {
    const message = readMessage(JSON.stringify({ tags: [{ mac: MAC, batteryMv }] }));
    return message?.kind === "tags" && message.tags[0] ? batteryOf(message.tags[0]) : "no tag";
  });
  t.deepEqual(states, ["LOW", "OK", undefined, undefined]);
  t.is(comparableMac("0218d6c53b19"), MAC);
});
