import test from "ava";
import type { Stored } from "../../../records/kind.ts";
import type { StudioLink } from "../../../schemas/design.ts";
import type { Link } from "../../../schemas/link.ts";
import { projectDesignerLink } from "../../../workers/link/project.ts";

const link: Stored<Link> = {
  _id: "t/demo/s/main/links/A1-0",
  store: "t/demo/s/main",
  rev: 7,
  writeId: "w",
  changedAt: new Date(0),
  eslId: "A1",
  displayPosition: 0,
  itemId: "milk",
  linkedItemId: "385001",
  facings: "3",
  location: "aisle 4",
  status: "ACTIVE",
  origin: "studio",
  linkedAt: new Date(0),
  stamp: 10,
};
const studioLink: StudioLink = {
  design_id: "t/demo/designs/special",
  scenarioId: "special",
  conditions: ["item.price != ''"],
  priority: 1,
};

test("a designer link holds what the renderer must know of the link, the design that the rules chose, and no more", (t) => {
  t.deepEqual(projectDesignerLink({ link, studioLink }), {
    derivedFrom: "studiolink.v1",
    linkRev: 7,
    status: "ACTIVE",
    design_id: "t/demo/designs/special",
    itemId: "milk",
    facings: "3",
    location: "aisle 4",
  });
});

const moved: [what: string, link: Stored<Link>, studioLink: StudioLink][] = [
  ["a relink", { ...link, itemId: "bread" }, studioLink],
  ["an unlink", { ...link, status: "DELETED" }, studioLink],
  ["an item that was deleted", { ...link, status: "INACTIVE" }, studioLink],
  ["a changed facing", { ...link, facings: "4" }, studioLink],
  ["a label that was moved", { ...link, location: "aisle 5" }, studioLink],
  ["any other change of the link", { ...link, rev: 8 }, studioLink],
  ["another design", link, { ...studioLink, design_id: "t/demo/designs/regular" }],
  ["no compatible design", link, { ...studioLink, design_id: null }],
];
for (const [what, otherLink, otherStudioLink] of moved) {
  test(`${what} reaches the renderer: the designer link is another`, (t) => {
    const before = projectDesignerLink({ link, studioLink });
    t.notDeepEqual(projectDesignerLink({ link: otherLink, studioLink: otherStudioLink }), before);
  });
}

test("another reason for the same design does not reach the renderer", (t) => {
  const before = projectDesignerLink({ link, studioLink });
  const other = { ...studioLink, scenarioId: "other", conditions: ["true"], priority: 2 };
  t.deepEqual(projectDesignerLink({ link, studioLink: other }), before);
});

test("a facing and a location that the link has not are absent", (t) => {
  const { facings: _, location: __, ...bare } = link;
  const projected = projectDesignerLink({ link: bare, studioLink });
  t.false("facings" in projected);
  t.false("location" in projected);
});
