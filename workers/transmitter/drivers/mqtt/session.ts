import { connect, type MqttClient } from "mqtt";
import type { Message } from "./messages.ts";

/** Why a session failed: the code of the network error, or the MQTT reason code. */
export interface SessionError extends Error {
  code?: string | number;
}

interface SessionOptions {
  url: string;
  clientId: string;
  user: string;
  /** Returns the password; called before each connection attempt. */
  password(): string;
  /** The topic filter to which the session subscribes. */
  filter: string;
  /** How long the broker keeps messages for the session after the connection is lost, in seconds. */
  expiryS: number;
  /** Maximum size of a message that the broker may pass on. */
  maxBytes: number;
  /**
   * Called with one message at a time. If the call returns false or throws, the message is not acknowledged: the connection is
   * closed, and the broker delivers the message again over the next connection.
   */
  onMessage(topic: string, payload: Buffer): Promise<boolean>;
  /** Called after each connection, with the number of unacknowledged messages that the broker accepts. */
  onOpen(receiveMaximum: number): void;
  /** Called when a connection is lost or cannot be established. */
  onFailed(error: SessionError): void;
}

/** An MQTT 5 session with a broker. It reconnects until it is closed. */
export interface Session {
  isOpen(): boolean;
  /**
   * Publishes a message once; returns the reason code of the broker's acknowledgement. Throws if no acknowledgement arrives: the
   * message is not repeated, since a newer message may follow.
   */
  publish(message: Message, timeoutMs: number): Promise<number>;
  close(): Promise<void>;
}

interface Pending {
  acknowledge(code: number): void;
  fail(error: SessionError): void;
}

const KEEPALIVE_S = 30;
const CONNECT_TIMEOUT_MS = 10_000;
const RECONNECT_MS = 1_000;
const CLOSE_TIMEOUT_MS = 1_000;
/** Maximum number of messages that the broker may send without an acknowledgement. */
const RECEIVE_MAXIMUM = 20;
const MAX_RECEIVE_MAXIMUM = 65_535;

/** Opens a session. It subscribes after each connection, since the broker may have forgotten the session. */
export function openSession(options: SessionOptions): Session {
  const { url, clientId, user, password, filter, expiryS, maxBytes, onMessage, onOpen, onFailed } = options;
  const client = connect(url, {
    ...{ protocolVersion: 5, clientId, username: user, password: password() },
    ...{ clean: expiryS === 0, resubscribe: false, reconnectOnConnackError: true },
    ...{ keepalive: KEEPALIVE_S, connectTimeout: CONNECT_TIMEOUT_MS, reconnectPeriod: RECONNECT_MS },
    properties: {
      sessionExpiryInterval: expiryS,
      maximumPacketSize: maxBytes,
      receiveMaximum: RECEIVE_MAXIMUM,
    },
  });
  const pending = new Map<number, Pending>();
  let isOpen = false;
  let failure: SessionError | undefined;
  /** True while the connection is being closed on purpose, so that a message is delivered again. */
  let isDropped = false;

  client.on("reconnect", () => {
    client.options.password = password();
  });
  client.on("connect", ({ properties }) => {
    const { stream } = client;
    client.subscribe(filter, { qos: 1 }, (error) => {
      if (error) {
        failure = error;
        stream.destroy();
        return;
      }
      isOpen = true;
      onOpen(properties?.receiveMaximum ?? MAX_RECEIVE_MAXIMUM);
    });
  });
  client.on("packetreceive", (packet) => {
    if (packet.cmd === "puback") pending.get(packet.messageId ?? 0)?.acknowledge(packet.reasonCode ?? 0);
  });
  client.on("error", (error) => {
    failure = error;
  });
  client.on("close", () => {
    const error = failure ?? Object.assign(new Error("the broker closed the connection"), { code: "ECONNRESET" });
    failure = undefined;
    isOpen = false;
    for (const one of pending.values()) one.fail(error);
    if (!isDropped) onFailed(error);
    isDropped = false;
  });
  client.handleMessage = ({ topic, payload }, acknowledge) => {
    const { stream } = client;
    void onMessage(topic, Buffer.from(payload))
      .catch(() => false)
      .then((isTaken) => {
        // The connection has since been lost: the broker delivers the message again over the next connection.
        if (client.stream !== stream) return;
        if (isTaken) return acknowledge();
        isDropped = true;
        stream.destroy();
      });
  };

  return {
    isOpen: () => isOpen,
    publish: ({ topic, payload, options: how }, timeoutMs) =>
      new Promise((resolve, reject) => {
        if (!isOpen) return reject(Object.assign(new Error("no connection to the broker"), { code: "ENOTCONN" }));
        client.publish(topic, payload, how, () => {});
        const id = client.getLastMessageId();
        const end = () => {
          clearTimeout(timer);
          pending.delete(id);
        };
        const timer = setTimeout(() => {
          failure = Object.assign(new Error(`no acknowledgement within ${timeoutMs} ms`), { code: "ETIMEDOUT" });
          client.stream.destroy();
        }, timeoutMs);
        pending.set(id, {
          acknowledge(code) {
            end();
            resolve(code);
          },
          fail(error) {
            end();
            client.removeOutgoingMessage(id);
            reject(error);
          },
        });
      }),
    close: () => closeClient(client),
  };
}

/** Ends the session with a DISCONNECT; if the broker does not respond, closes the connection after `CLOSE_TIMEOUT_MS`. */
async function closeClient(client: MqttClient): Promise<void> {
  const ended = new Promise<void>((resolve) => client.once("end", resolve));
  const timer = setTimeout(() => client.stream.destroy(), CLOSE_TIMEOUT_MS);
  client.removeAllListeners("close");
  client.end(!client.connected, { properties: { sessionExpiryInterval: 0 } });
  await ended;
  clearTimeout(timer);
}
