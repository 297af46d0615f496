import { Type } from "typebox";
import { LabelServerOrder } from "../../schemas/label-server.ts";
import { PLATFORM } from "../../schemas/token.ts";
import { labelServerResource } from "../installation/label-servers.ts";
import type { InstallationWorld } from "../installation/resource.ts";
import { resourceRoutes } from "./resource-routes.ts";

const shown = {
  labelServerId: Type.String({ description: "Id of the label server", examples: ["harbour"] }),
  url: LabelServerOrder.properties.url,
};
const secret = Type.Optional(Type.String({ description: "The secret that was made for this answer, shown only here" }));

/** The label servers of a tenant's own (docs/operations.md#what-a-label-server-is-told). */
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
      list: "Every label server of the tenant",
      get: "One label server",
      put: "Make or change a label server, which stores can name",
      remove: "Remove a label server on which no store is",
    },
    description:
      "Processes know of a change within seconds. What is on its way goes to the former address, and comes again here " +
      "where it was not acknowledged.",
  });
