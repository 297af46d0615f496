import Moveable from "moveable";
import Selecto from "selecto";

/** What pages use of Moveable and Selecto, as one module (docs/decisions/pages/bundles.md). */
export { Moveable, Selecto };
