import { element, enableButtons } from "../call.ts";

element("#print").addEventListener("click", () => window.print());
enableButtons();
