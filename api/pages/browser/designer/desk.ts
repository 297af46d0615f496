import { enableButtons } from "../call.ts";
import "./rules/draft/new-pack.ts";

enableButtons();
