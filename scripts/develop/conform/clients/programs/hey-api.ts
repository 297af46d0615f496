import { readFileSync } from "node:fs";
import { createClient } from "./client/client";
import * as operations from "./client/sdk.gen";

type Call = (options: object) => Promise<{ response: Response; error?: { type?: string } }>;

async function main() {
  const order = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
  for (const [kind, token] of [
    ["good", order.token],
    ["bad", "wrong"],
  ]) {
    // A bare text would be sent for each of the ways to authenticate, the last of which is Basic.
    const client = createClient({ baseUrl: order.base, auth: ({ scheme }) => (scheme === "bearer" ? token : undefined) });
    for (const { operationId, parameters, body } of order.calls) {
      const call = (operations as unknown as Record<string, Call>)[operationId] as Call;
      const { response, error } = await call({ client, path: parameters, body });
      console.log(operationId, kind, response.status, error?.type ?? "");
    }
  }
}

void main();
