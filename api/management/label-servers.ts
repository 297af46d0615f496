import { Type } from "typebox";
import { drivers, LabelServerOrder } from "../../schemas/label-server.ts";
import { PLATFORM } from "../../schemas/token.ts";
import { labelServerResource } from "../installation/label-servers.ts";
import type { InstallationWorld } from "../installation/resource.ts";
import { resourceRoutes } from "./resource-routes.ts";

const shown = {
  labelServerId: Type.String({ description: "Id of the label server", examples: ["harbour"] }),
  url: LabelServerOrder.properties.url,
  driver: Type.Optional(
    Type.Enum(drivers, { description: "The kind of server at the URL; `http` if absent", examples: ["http"] }),
  ),
  uploadIntervalMs: LabelServerOrder.properties.uploadIntervalMs,
  topicPrefix: LabelServerOrder.properties.topicPrefix,
};
const secret = Type.Optional(Type.String({ description: "The generated secret, shown in this response only" }));

/** Operations on a tenant's own label servers (docs/operations/label-servers.md). */
export const labelServers = (world: InstallationWorld) =>
  resourceRoutes({
    resource: labelServerResource(world),
    of: "tenant",
    path: "/label-servers/:labelServerId",
    answer: Type.Object(shown, { title: "LabelServer" }),
    made: { answer: Type.Object({ ...shown, secret }, { title: "SavedLabelServer" }), secretFields: ["secret"] },
    read: PLATFORM,
    write: PLATFORM,
    operationIds: {
      list: "listLabelServers",
      get: "getLabelServer",
      put: "putLabelServer",
      remove: "deleteLabelServer",
    },
    summaries: {
      list: "List the tenant's label servers",
      get: "Get one label server",
      put: "Create or change a label server, to which stores can be assigned",
      remove: "Delete a label server that no store uses",
    },
    description:
      "Changes take effect within seconds. Transmissions in progress go to the previous address; transmissions that are not " +
      "acknowledged are repeated to the new one.",
  });
