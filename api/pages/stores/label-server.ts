import type { UnknownTag } from "../../../schemas/unknown-tag.ts";
import type { ShownLabelServer } from "../../installation/label-servers.ts";
import { type Html, html } from "../html/html.ts";
import type { Page, Visit } from "../visit.ts";
import { onePage, resourceForm, textField } from "./resource-form.ts";
import { readOfTenant } from "./stores.ts";
import { unknownTags } from "./unknown-tags.ts";

const common = {
  below: "stores",
  styles: ["label.css", "items.css", "stores.css"],
  scripts: ["stores/save-resource.ts"],
} as const;

/** One label server of a retailer. */
export const labelServerPage: Page = {
  ...common,
  path: "/label-servers/:labelServerId",
  nothing: "problem.noEntry",
  async show(visit) {
    const { labelServerId = "" } = visit.params;
    const server = await readOfTenant<ShownLabelServer>(visit, "getLabelServer", { labelServerId });
    const tags = await readOfTenant<UnknownTag[]>(visit, "listUnknownTags", { labelServerId });
    // Other label servers identify labels by their barcodes.
    const unknown = server.driver === "openepaperlink" && unknownTags(visit, tags);
    const content = html`${form(visit, server)}${unknown}`;
    return { title: labelServerId, content: onePage(visit, labelServerId, content) };
  },
};

/** A new label server. */
export const newLabelServerPage: Page = {
  ...common,
  path: "/new/label-server",
  async show(visit) {
    // Rejected for everyone except the operator, since only the operator may save.
    await readOfTenant(visit, "listLabelServers");
    const title = visit.texts("servers.new");
    return { title, content: onePage(visit, title, form(visit, undefined)) };
  },
};

function form(visit: Visit, server: ShownLabelServer | undefined): Html {
  const { texts } = visit;
  const fields = html`${server === undefined && textField("id", texts("server.id"), undefined, { pattern: "[A-Za-z0-9_\\-]{1,64}" })}
${textField("url", texts("server.url"), server?.url, { type: "url", maxlength: "2048" })}`;
  return resourceForm(visit, {
    list: "/label-servers",
    ...(server && { id: server.labelServerId, shown: server }),
    fields,
    isOpen: visit.isOperator,
    remove: [texts("server.remove"), texts("server.removeWhat")],
  });
}
