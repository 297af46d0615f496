import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

async function main() {
  const order = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
  for (const kind of ["good", "bad", "denied"]) {
    const authorization = `Bearer ${kind === "denied" ? "wrong" : order.token}`;
    const client = createClient<paths>({ baseUrl: order.base, headers: { authorization } });
    for (const call of order.calls) {
      const { operationId, method, path } = call;
      const sent = kind === "bad" ? call.bad : call;
      if (sent === undefined) continue;
      const { response, error } = await client.request(method, path, {
        params: { path: sent.parameters },
        body: sent.body,
      });
      const problem: components["schemas"]["Problem"] | undefined = error;
      console.log(operationId, kind, response.status, problem?.type ?? "", problem?.errors?.[0]?.pointer ?? "");
    }
  }
}

void main();
