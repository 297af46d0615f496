import test from "ava";
import { designerLinkDerivation } from "../../../queues/derivations/designer-link.ts";
import { publishing } from "../../../queues/system.ts";
import { publishedBy } from "../../../queues/topology.ts";
import { designerLinks, links } from "../../../records/kinds/links.ts";
import { linkIdOf, linkKey } from "../../../schemas/keys.ts";
import type { Link } from "../../../schemas/link.ts";
import { createProjectFirst } from "../../../workers/link/project-first.ts";
import { DEMO_STORE, labelFor } from "../../harness/glass.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();
const link: Link = {
  eslId: labelFor("designed"),
  displayPosition: 0,
  itemId: "milk",
  linkedItemId: "milk",
  status: "ACTIVE",
  origin: "studio",
  linkedAt: new Date(0),
  stamp: 1,
};
const key = linkKey(DEMO_STORE, linkIdOf(link.eslId, 0));

test("a subscriber to a designer link finds its projection, and a studio link is projected after the rules have chosen", async (t) => {
  const system = publishing(own.system, publishedBy("link"));
  const { records } = system;
  const designOf = async () => (await records.read(designerLinks, [key])).get(key)?.design_id;
  const told: unknown[] = [];
  const publish: typeof system.publisher.publish = async (topic, changes) => {
    if (topic === "link.v2") told.push(await designOf());
    return system.publisher.publish(topic, changes);
  };
  const commit = createProjectFirst({ ...system, publisher: { ...system.publisher, publish } }, (keys, urgency) =>
    system.derive(designerLinkDerivation(), keys, urgency),
  );
  await commit.change(links, [key], () => link, "bulk");
  for (const designId of ["t/demo/designs/a", "t/demo/designs/b"])
    await commit.change(links, [key], () => ({ ...link, origin: "designer" as const, designId }), "bulk");
  t.deepEqual(told, [undefined, "t/demo/designs/a", "t/demo/designs/b"]);
});
