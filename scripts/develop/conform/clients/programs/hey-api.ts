import { readFileSync } from "node:fs";
import { createClient } from "./client/client";
import * as operations from "./client/sdk.gen";
import type { Problem } from "./client/types.gen";

type Call = (options: object) => Promise<{ response: Response; error?: Problem }>;

async function main() {
  const order = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
  for (const kind of ["good", "bad", "denied"]) {
    const token = kind === "denied" ? "wrong" : order.token;
    // A plain string would be sent for each of the authentication schemes, the last of which is Basic.
    const client = createClient({ baseUrl: order.base, auth: ({ scheme }) => (scheme === "bearer" ? token : undefined) });
    for (const call of order.calls) {
      const sent = kind === "bad" ? call.bad : call;
      if (sent === undefined) continue;
      const operation = (operations as unknown as Record<string, Call>)[call.operationId] as Call;
      const { response, error } = await operation({ client, path: sent.parameters, body: sent.body });
      console.log(call.operationId, kind, response.status, error?.type ?? "", error?.errors?.[0]?.pointer ?? "");
    }
  }
}

void main();
