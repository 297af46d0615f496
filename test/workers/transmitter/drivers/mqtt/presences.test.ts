import test from "ava";
import { followPresences } from "../../../../../workers/transmitter/drivers/mqtt/presences.ts";

const STORE = "t/demo/s/main";

function openScene() {
  let at = 0;
  const { note, offlineSince, backSince } = followPresences(() => at);
  return {
    says(state: object, time: number): void {
      at = time;
      note(STORE, Buffer.from(JSON.stringify(state)));
    },
    times: () => [offlineSince(STORE), backSince(STORE)],
  };
}

test("a gateway without a known state counts as online", (t) => {
  t.deepEqual(openScene().times(), [undefined, undefined]);
});

test("a gateway counts as offline since its first offline report, and as online again once it reports that it is online", (t) => {
  const { says, times } = openScene();
  says({ state: "online", boot: "a" }, 1);
  t.deepEqual(times(), [undefined, undefined]);
  says({ state: "offline" }, 2);
  says({ state: "offline" }, 3);
  t.deepEqual(times(), [2, undefined]);
  says({ state: "online", boot: "a" }, 4);
  t.deepEqual(times(), [undefined, 4]);
});

test("a gateway that has restarted counts as online again, even if it was never reported offline", (t) => {
  const { says, times } = openScene();
  says({ state: "online", boot: "a" }, 1);
  says({ state: "online", boot: "a" }, 2);
  t.deepEqual(times(), [undefined, undefined]);
  says({ state: "online", boot: "b" }, 3);
  t.deepEqual(times(), [undefined, 3]);
});
