import { createServer } from "node:http";
import Router from "@koa/router";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import Koa, { type Middleware } from "koa";
import { HttpMethodEnum, koaBody } from "koa-body";
import { Type } from "typebox";
import { ItemPatch } from "../../../schemas/item.ts";
import { compileCheck } from "../../../schemas/validate.ts";

/**
 * The baseline of an accepting API: parses the body, checks its schema and adds one job. If Redis were wiped, it would lose
 * everything.
 */
const [, , port, redisUrl = ""] = process.argv;
const queue = new Queue("bare", { connection: new Redis(redisUrl, { maxRetriesPerRequest: null }), prefix: "{bare}" });
const check = compileCheck(Type.Array(ItemPatch));
const router = new Router();
const accept: Middleware = async (context) => {
  if (check(context.request.body).length > 0) context.throw(400);
  await queue.add("patch-items", { rows: context.request.body }, { priority: 1, removeOnComplete: { count: 0 } });
  context.status = 202;
  context.body = { requestId: 1 };
};
router.patch("/items", koaBody({ parsedMethods: [HttpMethodEnum.PATCH] }), accept);
const app = new Koa();
app.use(router.routes());
createServer(app.callback()).listen(Number(port), () => process.send?.("listening"));
process.on("disconnect", () => process.exit(0));
