import { answerOrders } from "../../runtime/thread/answer-orders.ts";
import { createDrawer } from "./drawer.ts";

/**
 * The drawing thread handles one order at a time. An unexpected error ends the thread, and its orders fail with ThreadError.
 */
answerOrders(createDrawer());
