import test from "ava";
import type { CanvasDesign } from "../../../../schemas/canvas.ts";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf, pointersOf, refused } from "../../calls.ts";
import { manage } from "../calls.ts";

const shelfwire = ownStack({ workers: [] });

interface Made {
  labelTypes: number[];
  canvas?: CanvasDesign;
}
const layOut = (id: string, labelTypes: readonly number[], storeId = "main") =>
  manage(shelfwire, "POST", `/design-templates/${id}/canvas`, { storeId, labelTypes });

test("each design template is listed, with a canvas that can be saved as a draft and drawn", async (t) => {
  const templates = await bodyOf<{ templateId: string }[]>(await manage(shelfwire, "GET", "/design-templates"));
  t.true(templates.length >= 10, `${templates.length}`);
  for (const { templateId } of templates) {
    const { labelTypes, canvas } = await bodyOf<Made>(await layOut(templateId, [1328, 1627]));
    if (canvas === undefined) {
      t.deepEqual(labelTypes, [], templateId);
      continue;
    }
    const path = `/canvas-designs/from-${templateId}/draft`;
    const { errors } = await bodyOf<{ errors: unknown[] }>(await manage(shelfwire, "PUT", path, { content: canvas }));
    t.deepEqual(errors, [], templateId);
    const item = { itemId: "1", itemName: "Kruh", price: "1.99" };
    const drawn = await manage(shelfwire, "POST", "/designs/previews", {
      ...{ canvas, items: [item], storeId: "main", labelTypes },
    });
    t.is((await bodyOf<{ faults: number }>(drawn)).faults, 0, templateId);
  }
});

test("a template has no canvas if it fits no label type, and unknown label types are named", async (t) => {
  t.deepEqual(await bodyOf<Made>(await layOut("two-items", [1328])), { labelTypes: [] });
  t.deepEqual(pointersOf(await refused(t, await layOut("offer", [1328, 9999]), 400)), ["/labelTypes/1"]);
  t.deepEqual(pointersOf(await refused(t, await layOut("offer", [1328], "nowhere"), 400)), ["/storeId"]);
  await refused(t, await layOut("none", [1328]), 404);
});
