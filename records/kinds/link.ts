import { Link } from "../../schemas/link.ts";
import { recordKind } from "../kind.ts";

export const links = recordKind("link.v2", Link, { isAlive: ({ status }) => status !== "DELETED" });
