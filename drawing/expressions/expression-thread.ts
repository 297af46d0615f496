import { answerOrders } from "../../runtime/thread/answer-orders.ts";
import { createExpressionWork } from "./expression-work.ts";

/** The expression thread handles one order at a time. An unexpected error ends the thread, and the order fails with ThreadError. */
answerOrders(createExpressionWork());
