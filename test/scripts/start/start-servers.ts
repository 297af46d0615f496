import { onFreePort } from "../../../scripts/start/ports.ts";
import { type Server, startMongo, startRedis } from "../../../scripts/start/servers.ts";

/**
 * Starts servers as `npm start` does, prints which they are, and ends them: `start-servers.ts DATA_FOLDER redis mongo`.
 */
const [dataFolder = "", ...names] = process.argv.slice(2);
const start: Record<string, () => Promise<Server>> = {
  redis: () => onFreePort((port) => startRedis(port, `${dataFolder}/redis`)),
  mongo: () => onFreePort((port) => startMongo(port, dataFolder, `${dataFolder}/mongo`)),
};
for (const name of names) {
  const server = await start[name]?.();
  process.stdout.write(`${server?.description}\n`);
  await server?.stop();
}
