import { AssetFile } from "../../schemas/asset.ts";
import { recordKind } from "../kind.ts";

export const assetFiles = recordKind("assetfile.v1", AssetFile);
