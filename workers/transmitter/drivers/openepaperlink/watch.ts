import { type Message, readMessage } from "./messages.ts";

/** An access point's websocket, which is opened again whenever it closes. */
export interface Watch {
  close(): void;
}

interface WatchOptions {
  url: string;
  /** Called when the websocket is opened, at first and after each gap, in which messages may have been missed. */
  onOpen(): void;
  onMessage(message: Message): void;
}

const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 30_000;

/** Watches an access point's messages until closed. */
export function watchAccessPoint({ url, onOpen, onMessage }: WatchOptions): Watch {
  const address = new URL("ws", url.endsWith("/") ? url : `${url}/`);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  let socket: WebSocket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let isClosed = false;

  function open(): void {
    socket = new WebSocket(address);
    socket.addEventListener("open", () => {
      pauseMs = FIRST_PAUSE_MS;
      onOpen();
    });
    socket.addEventListener("message", ({ data }) => {
      const message = readMessage(String(data));
      if (message) onMessage(message);
    });
    // An error is always followed by a close event.
    socket.addEventListener("close", () => {
      if (isClosed) return;
      timer = setTimeout(open, pauseMs).unref();
      pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS);
    });
  }

  open();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}
