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

test("without trusted proxies a call comes from where its connection comes from", (t) => {
  t.is(from("203.0.113.7"), "203.0.113.7");
  t.is(from("203.0.113.7", "198.51.100.1"), "203.0.113.7");
});

test("each trusted proxy names its caller; entries before theirs are not trusted", (t) => {
  t.is(from("10.0.0.1", "198.51.100.1", 1), "198.51.100.1");
  t.is(from("10.0.0.1", "1.1.1.1, 198.51.100.1", 1), "198.51.100.1");
  t.is(from("10.0.0.1", "1.1.1.1, 198.51.100.1, 10.0.0.2", 2), "198.51.100.1");
});

test("a call that did not pass the proxies counts by its connection", (t) => {
  t.is(from("10.0.0.1", undefined, 1), "10.0.0.1");
  t.is(from("10.0.0.1", "198.51.100.1", 2), "10.0.0.1");
});

test("an IPv4 address is the same however it is written", (t) => {
  t.is(from("::ffff:203.0.113.7"), "203.0.113.7");
});

test("the addresses of an IPv6 network of 64 bits count together", (t) => {
  for (const address of ["2001:db8:0:1::1", "2001:0db8::1:a:b:c:d", "2001:db8:0:1:ffff:ffff:ffff:ffff"])
    t.is(from(address), "2001:db8:0:1::/64", address);
  t.is(from("::1"), "0:0:0:0::/64");
  t.not(from("2001:db8:0:2::1"), from("2001:db8:0:1::1"));
});

test("text that is no address is counted as it stands", (t) => {
  t.is(from("10.0.0.1", "unknown", 1), "unknown");
});
