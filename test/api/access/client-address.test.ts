import test from "ava";
import { clientAddress } from "../../../api/access/client-address.ts";

const from = (remoteAddress: string, forwarded?: string, proxies = 0) =>
  clientAddress(
    {
      socket: { remoteAddress },
      headers: { ...(forwarded !== undefined && { "x-forwarded-for": forwarded }) },
    },
    proxies,
  );

test("without trusted proxies the client address is the connection's address", (t) => {
  t.is(from("203.0.113.7"), "203.0.113.7");
  t.is(from("203.0.113.7", "198.51.100.1"), "203.0.113.7");
});

test("each trusted proxy names its caller; earlier entries are not trusted", (t) => {
  t.is(from("10.0.0.1", "198.51.100.1", 1), "198.51.100.1");
  t.is(from("10.0.0.1", "1.1.1.1, 198.51.100.1", 1), "198.51.100.1");
  t.is(from("10.0.0.1", "1.1.1.1, 198.51.100.1, 10.0.0.2", 2), "198.51.100.1");
});

test("a call that bypasses the proxies is counted by its connection's address", (t) => {
  t.is(from("10.0.0.1", undefined, 1), "10.0.0.1");
  t.is(from("10.0.0.1", "198.51.100.1", 2), "10.0.0.1");
});

test("every spelling of an IPv4 address is the same address", (t) => {
  t.is(from("::ffff:203.0.113.7"), "203.0.113.7");
});

test("addresses in the same /64 IPv6 network are counted together", (t) => {
  for (const address of ["2001:db8:0:1::1", "2001:0db8::1:a:b:c:d", "2001:db8:0:1:ffff:ffff:ffff:ffff"])
    t.is(from(address), "2001:db8:0:1::/64", address);
  t.is(from("::1"), "0:0:0:0::/64");
  t.not(from("2001:db8:0:2::1"), from("2001:db8:0:1::1"));
});

test("text that is not an address is counted unchanged", (t) => {
  t.is(from("10.0.0.1", "unknown", 1), "unknown");
});
