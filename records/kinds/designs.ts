import { Asset, AssetFile } from "../../schemas/asset.ts";
import { CanvasDesign } from "../../schemas/canvas.ts";
import { CommunicationPack, Design } from "../../schemas/design.ts";
import { recordKind } from "../kind.ts";

export const designs = recordKind("design.v1", Design, { isAlive: ({ deleted }) => deleted !== true });

export const canvasDesigns = recordKind("canvasdesign.v1", CanvasDesign, {
  isAlive: ({ deleted }) => deleted !== true,
});

export const communicationPacks = recordKind("communicationpack.v1", CommunicationPack, {
  // Only the packs whose scenarios have validity periods.
  indexes: [{ keys: { periodEnds: 1 }, sparse: true }],
});

export const assets = recordKind("asset.v1", Asset, { isAlive: ({ deleted }) => deleted !== true });

export const assetFiles = recordKind("assetfile.v1", AssetFile);
