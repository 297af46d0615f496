import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import test from "ava";
import type { Attempt } from "../../../domain/notifications/retry-mail.ts";
import { openMailer } from "../../../workers/notifier/mails/smtp.ts";
import { PATIENT_MS } from "../../harness/patience.ts";

/** A mail server's lines: its greeting, then its reply to each command, by the command's first word. */
type Script = Readonly<Record<string, string | ((socket: Socket) => void)>>;
const willing: Script = {
  GREETING: "220 hello",
  EHLO: "250 hello",
  MAIL: "250 ok",
  RCPT: "250 ok",
  DATA: "354 go",
  ".": "250 taken",
};
const servers: Server[] = [];
test.after.always(() => {
  for (const server of servers) server.close();
});

/** Starts a mail server that follows a script exactly; a complete server would not break off where a test needs it to. */
async function serve(script: Script): Promise<number> {
  const said = { ...willing, ...script };
  const server = createServer((socket) => {
    let isContent = false;
    const say = (word: string) => {
      const reply = said[word] ?? "250 ok";
      if (typeof reply === "string") socket.write(`${reply}\r\n`);
      else reply(socket);
    };
    socket.on("error", () => {});
    socket.on("data", (data: Buffer) => {
      for (const line of data.toString().split("\r\n").filter(Boolean)) {
        if (isContent && line !== ".") continue;
        const word = line.split(" ")[0] ?? "";
        isContent = word === "DATA" && said.DATA === willing.DATA;
        say(word);
      }
    });
    say("GREETING");
  });
  servers.push(server);
  await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
  return (server.address() as AddressInfo).port;
}
const mail = { id: "one", to: "ana@chain.example", subject: "s", text: "t", html: "<p>t</p>", headers: {} };
async function open(script: Script, mailMs = PATIENT_MS) {
  const server = { host: "127.0.0.1", port: await serve(script), isSecure: false };
  return openMailer(server, { name: "", address: "labels@chain.example" }, { stepMs: PATIENT_MS, mailMs });
}
const without = ({ reason: _, ...attempt }: Attempt & { reason?: string }) => attempt;

const away = { kind: "later", isAway: true } as const;
const end = (socket: Socket) => socket.destroy();
/** Keeps sending lines without ever sending the last one. */
function trickle(socket: Socket): void {
  const timer = setInterval(() => socket.write("250-wait\r\n"), 20);
  socket.on("close", () => clearInterval(timer));
}
for (const [rule, script, expected] of [
  ["accepts it", {}, { kind: "sent" }],
  ["closes the connection before its greeting", { GREETING: end }, away],
  ["closes the connection in the middle of it", { DATA: end }, away],
  ["closes the connection after receiving it", { ".": end }, away],
  ["accepts no e-mail", { GREETING: "554 no mail here" }, away],
  ["refuses the sender that the operator has set", { MAIL: "550 not from you" }, away],
  ["requires a login", { RCPT: "530 5.7.0 log in" }, away],
  ["refuses the recipient for now", { RCPT: "450 4.2.0 later" }, { kind: "later", isAway: false }],
  ["refuses the recipient", { RCPT: "550 5.1.1 nobody" }, { kind: "refused", isAddress: true }],
  [
    "relays nothing, which does not concern the recipient",
    { RCPT: "550 5.7.1 no relay" },
    { kind: "refused", isAddress: false },
  ],
  ["refuses it", { ".": "554 no" }, { kind: "refused", isAddress: false }],
] as const)
  test(`what becomes of an e-mail if the server ${rule}`, async (t) => {
    const mailer = await open(script);
    t.deepEqual(without(await mailer.send(mail)), expected);
    mailer.close();
  });

test("a server that keeps sending lines does not hold an e-mail beyond its time limit", async (t) => {
  const mailer = await open({ RCPT: trickle }, 300);
  t.deepEqual(without(await mailer.send(mail)), away);
  mailer.close();
});

test("a process that ends does not wait for a hanging server", async (t) => {
  const reached = Promise.withResolvers<void>();
  const mailer = await open({ MAIL: () => reached.resolve() });
  const sending = mailer.send(mail);
  await reached.promise;
  mailer.close();
  t.deepEqual(without(await sending), away);
});
