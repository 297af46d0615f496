import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { paths } from "./schema";

async function main() {
  const order = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
  for (const [kind, token] of [["good", order.token], ["bad", "wrong"]]) {
    const client = createClient<paths>({ baseUrl: order.base, headers: { authorization: `Bearer ${token}` } });
    for (const { operationId, method, path, parameters, body } of order.calls) {
      const { response, error } = await client.request(method, path, { params: { path: parameters }, body } as never);
      console.log(operationId, kind, response.status, (error as { type?: string } | undefined)?.type ?? "");
    }
  }
}

void main();
