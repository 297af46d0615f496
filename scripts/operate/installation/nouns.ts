import { apiUserResource } from "../../../api/installation/api-users.ts";
import { labelServerResource } from "../../../api/installation/label-servers.ts";
import { labelTypeResource } from "../../../api/installation/label-types.ts";
import { modelResource } from "../../../api/installation/models.ts";
import type { InstallationWorld, Resource } from "../../../api/installation/resource.ts";
import { storeResource } from "../../../api/installation/stores.ts";
import { tenantResource } from "../../../api/installation/tenants.ts";

export type AnyResource = Resource<object, object>;

/** A kind of resource that an operator sets up, as commands and files name it. */
export interface Noun {
  /** The name in commands: `store list`. */
  name: string;
  /** The name of the id among a command's arguments. */
  argument: string;
  /** For a tenant's resource: the section of a file that lists such resources by id. */
  section?: string;
  /** The field of a response that contains the id. */
  idField: string;
  open(world: InstallationWorld, barcodePattern: string): AnyResource;
}

const noun = (definition: Omit<Noun, "open"> & { open(world: InstallationWorld, pattern: string): unknown }): Noun =>
  definition as Noun;

export const tenantNoun = noun({ name: "tenant", argument: "TENANT", idField: "tenantId", open: tenantResource });

/** The resources of a tenant in order of creation: each needs only earlier ones. */
export const tenantNouns: readonly Noun[] = [
  noun({
    name: "label-type",
    argument: "LABEL-TYPE",
    section: "labelTypes",
    idField: "type",
    open: labelTypeResource,
  }),
  noun({ name: "model", argument: "MODEL", section: "models", idField: "name", open: modelResource }),
  noun({
    name: "label-server",
    argument: "LABEL-SERVER",
    section: "labelServers",
    idField: "labelServerId",
    open: labelServerResource,
  }),
  noun({ name: "store", argument: "STORE", section: "stores", idField: "storeId", open: storeResource }),
  noun({ name: "user", argument: "USER", section: "users", idField: "name", open: apiUserResource }),
];

export const idOf = ({ idField }: Noun, shown: object): string => String((shown as Record<string, unknown>)[idField]);

/** Returns the secrets that the order lacked and that were generated for it. Only this response contains them. */
export function madeSecrets(order: object, shown: object): Readonly<Record<string, string>> {
  const { password, secret } = shown as { password?: string; secret?: string };
  const made = Object.entries({ password, secret }).filter(([field, value]) => value && !(field in order));
  return Object.fromEntries(made) as Record<string, string>;
}

export const secretLines = (made: Readonly<Record<string, string>>): string[] =>
  Object.entries(made).map(([field, value]) => `its ${field}, shown only here: ${value}`);
