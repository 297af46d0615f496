import { orderBounds } from "../../../workers/transmitter/action-deadline.ts";
import { ORDER_PATIENCE_S } from "../patience.ts";

/** Imported in threads without other files' tests: on a busy machine, a label's order may be sent minutes after its request. */
orderBounds.minSeconds = ORDER_PATIENCE_S;
