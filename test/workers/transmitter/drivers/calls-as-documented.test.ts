import test from "ava";
import type { TSchema } from "typebox";
import { labelServerCalls, switchCalls } from "../../../../schemas/label-server-call.ts";
import { compileCheck } from "../../../../schemas/validate.ts";
import type { Addressed, OrderToSend } from "../../../../workers/transmitter/drivers/label-server.ts";
import { type Call, page, serve } from "../serve.ts";

const { store, barcode, number } = page;
const addressed: Addressed = { store, barcode, number, priority: "high", transceivers: ["T1", "T,2"] };
const orders = {
  flash: { duration: 4, color: "GREEN", flashType: 50 },
  "display-page": { action: "set-temporary", page: "info", duration: 30 },
  fingerprint: { position: { x: 1.5, y: 2, floor: 0 } },
} as const satisfies Record<OrderToSend["order"], object>;

const SWITCH = "20260309T050000Z";

const faultsOf = (schema: TSchema, value: unknown) => compileCheck(schema)(value).map(({ detail }) => detail);

for (const [kind, { method, path, headers, body }] of Object.entries(labelServerCalls)) {
  test(`the driver sends ${kind} as the documentation for label servers says`, async (t) => {
    const { driver, calls } = await serve(t, () => ({ status: 202 }));
    if (kind === "page") await driver.sendPage({ ...page, ...addressed });
    else if (kind === "page-to-keep") await driver.sendPage({ ...page, ...addressed, switch: SWITCH });
    else if (kind === "segments") await driver.sendPage({ ...page, ...addressed, content: { text: "    1,99" } });
    else await driver.sendOrder({ ...addressed, order: kind as OrderToSend["order"], body: orders[kind as "flash"] });
    const [sent] = calls as [Call];
    t.is(
      `${sent.method} ${sent.path}`,
      `${method} /labels/${barcode}/${path.replace("{page}", "0").replace("{switch}", SWITCH)}`,
    );
    t.deepEqual(faultsOf(headers, sent.headers), []);
    t.is(sent.headers["content-type"], body ? "application/json" : "image/png");
    if (body) t.deepEqual(faultsOf(body, JSON.parse(String(sent.body))), []);
    const documented = new Set(Object.keys(headers.properties));
    const own = Object.keys(sent.headers).filter((name) => !/^(host|connection|content-|transfer-)/.test(name));
    t.deepEqual(
      own.filter((name) => !documented.has(name)),
      [],
    );
  });
}

for (const [kind, { method, headers, body }] of Object.entries(switchCalls)) {
  test(`the driver orders the switch (${kind}) as the documentation for label servers says`, async (t) => {
    const { driver, calls } = await serve(t, () => ({ status: 202 }));
    const showAt = kind === "show" ? new Date("2026-03-09T05:00:00Z") : undefined;
    t.deepEqual(await driver.orderSwitch?.({ store, switch: SWITCH, showAt }), { kind: "accepted" });
    const [sent] = calls as [Call];
    t.is(`${sent.method} ${sent.path}`, `${method} /switches/${SWITCH}`);
    t.deepEqual(faultsOf(headers, sent.headers), []);
    t.is(String(sent.body), body ? '{"showAt":"2026-03-09T05:00:00.000Z"}' : "");
  });
}
