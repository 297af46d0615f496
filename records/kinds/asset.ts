import { Asset } from "../../schemas/asset.ts";
import { recordKind } from "../kind.ts";

export const assets = recordKind("asset.v1", Asset, { isAlive: ({ deleted }) => deleted !== true });
