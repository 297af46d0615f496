import { createServer } from "node:http";

/** How the bench's label servers behave: the first ones hang, and the others respond after a time. */
export interface Behaviour {
  hanging: number;
  answerMs: number;
}

/**
 * Label servers in one process, distinguished by the first part of their path. They accept pictures and report nothing. `POST
 * /behaviour` sets their behaviour, `GET /arrivals` returns when each label's last picture arrived, in epoch milliseconds, and
 * `GET /arrived` returns the number of labels for which a picture arrived.
 */
let behaviour: Behaviour = { hanging: 0, answerMs: 0 };
const arrivals = new Map<string, number>();

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const [, first = "", ...rest] = (request.url ?? "").split("/");
  if (first === "arrivals") return void response.end(JSON.stringify(Object.fromEntries(arrivals)));
  if (first === "arrived") return void response.end(String(arrivals.size));
  if (first === "behaviour") {
    behaviour = JSON.parse(Buffer.concat(chunks).toString());
    arrivals.clear();
    return void response.end();
  }
  if (Number(first) < behaviour.hanging) return;
  arrivals.set(`${first}/${rest[1]}`, Date.now());
  const accept = () => void response.writeHead(202).end();
  if (behaviour.answerMs > 0) setTimeout(accept, behaviour.answerMs);
  else accept();
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as { port: number }).port));
process.on("disconnect", () => process.exit(0));
