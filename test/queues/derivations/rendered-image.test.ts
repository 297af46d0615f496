import test from "ava";
import { createDrawing } from "../../../drawing/thread/draw-within-limits.ts";
import { renderedImageDerivation } from "../../../queues/derivations/rendered-image.ts";
import type { ImageFiles } from "../../../records/files/image-files.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import type { Stored } from "../../../schemas/record.ts";
import { demoStore, labelTypes } from "../../../scripts/demo/catalogue.ts";
import { partOf } from "../../harness/part-of.ts";
import { storedItem } from "../../scripts/demo/items.ts";

const labelType = labelTypes.find(({ type }) => type === 1628);
const text = { kind: "text", x: 0, y: 0, width: 280, height: 60, font: "bold", color: "black", text: "Kruh" };

test("millimetres in one rev of a canvas become pixels at each label's own dpi", async (t) => {
  const drawing = createDrawing();
  const imageFiles = partOf<ImageFiles>({ put: async () => {}, read: async () => new Map() });
  const { decide } = renderedImageDerivation({ imageFiles, uploads: partOf({}), drawing });
  const facts = (size: unknown, _id: string, dpi?: number) => {
    const elements = [{ ...text, size }];
    const canvas = { name: "test", width: 296, height: 128, background: "white", elements } as CanvasDesign;
    const item = storedItem({ itemId: "7", itemName: "Kruh" });
    return {
      displayPosition: 0,
      item,
      labelType: { ...(labelType ?? t.fail()), ...(dpi && { dpi }) },
      store: demoStore,
      shows: { link: "k", linkRev: 1, item: "7", itemRev: 1 },
      designerLink: { linkRev: 1, status: "ACTIVE" as const, design_id: "d", itemId: "7" },
      canvas: partOf<Stored<CanvasDesign>>({ ...canvas, _id, rev: 1 }),
      isAlone: true,
      hasEccLink: false,
      images: new Map(),
    };
  };
  const asked = [facts("4mm", "a"), facts("4mm", "a", 224), facts(18, "b"), facts(35, "c")];
  const made = await decide(asked.map((one, index) => ({ key: `demo/main/${index}`, facts: one, current: undefined })));
  const [usual, fine, as18, as35] = made.map((one) => (one as { image: string }).image);
  t.deepEqual([usual, fine], [as18, as35]);
  t.not(usual, fine);
});
