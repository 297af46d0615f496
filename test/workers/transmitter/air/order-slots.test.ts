import test from "ava";
import { createOrderSlots, MAX_OF_SILENT, MAX_PER_SERVER } from "../../../../workers/transmitter/air/order-slots.ts";
import type { LabelServer } from "../../../../workers/transmitter/drivers/label-server.ts";
import { partOf } from "../../../harness/part-of.ts";

const server = (failingSince?: number): LabelServer => partOf<LabelServer>({ failingSince: () => failingSince });
const takeAll = (slots: ReturnType<typeof createOrderSlots>, servers: readonly LabelServer[]) =>
  servers.flatMap((one) => slots.take(one) ?? []);

test("a label server gets half of the places, and the others stay free for other label servers", (t) => {
  const slots = createOrderSlots(() => 0);
  const one = server();
  slots.take(server());
  const releases = takeAll(slots, Array(20).fill(one));
  t.is(releases.length, MAX_PER_SERVER);
  t.truthy(slots.take(server()));
  releases[0]?.();
  t.truthy(slots.take(one), "a place is free again after its call");
  t.is(slots.take(one), undefined);
});

test("the only label server with orders gets every place until another has orders", (t) => {
  const set = { now: 0 };
  const slots = createOrderSlots(() => set.now);
  const [one, other] = [server(), server()];
  t.is(takeAll(slots, Array(20).fill(one)).length, 20);
  t.truthy(slots.take(other));
  t.is(slots.take(one), undefined);
  set.now = 60_001;
  t.truthy(slots.take(one));
});

test("silent label servers get one trial call each, and only a few of them at a time", (t) => {
  const slots = createOrderSlots(() => 0);
  const silent = Array.from({ length: 20 }, () => server(0));
  const [first = server()] = silent;
  const releases = takeAll(slots, [first, ...silent]);
  t.is(releases.length, MAX_OF_SILENT);
  t.truthy(slots.take(server()));
  for (const release of releases) release();
  t.is(takeAll(slots, [first, first]).length, 1);
});

test("a place taken while its label server still responded does not count as a silent server's place", (t) => {
  const slots = createOrderSlots(() => 0);
  const set: { failingSince?: number } = {};
  const one = partOf<LabelServer>({ failingSince: () => set.failingSince });
  const release = slots.take(one);
  set.failingSince = 0;
  release?.();
  t.is(takeAll(slots, [one, ...Array.from({ length: 20 }, () => server(0))]).length, MAX_OF_SILENT);
});
