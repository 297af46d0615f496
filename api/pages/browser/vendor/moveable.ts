import Moveable from "moveable";
import Selecto from "selecto";

/** The parts of Moveable and Selecto that pages use, as one module (docs/decisions/pages/bundles.md). */
export { Moveable, Selecto };
