import test from "ava";
import { isPublicAddress } from "../../../../workers/notifier/rules/public-address.ts";

for (const address of ["8.8.8.8", "93.184.216.34", "2001:4860:4860::8888", "::ffff:8.8.8.8"]) {
  test(`${address} is of the public internet`, (t) => t.true(isPublicAddress(address)));
}

const others: [string, string][] = [
  ["127.0.0.1", "this machine"],
  ["::1", "this machine"],
  ["0.0.0.0", "this machine"],
  ["10.1.2.3", "a private network"],
  ["172.16.0.1", "a private network"],
  ["192.168.1.1", "a private network"],
  ["fd12:3456::1", "a private network"],
  ["169.254.169.254", "a cloud's metadata"],
  ["fe80::1", "the link"],
  ["100.64.0.1", "a carrier's network"],
  ["224.0.0.1", "a group"],
  ["255.255.255.255", "everyone"],
  ["::ffff:127.0.0.1", "this machine in IPv6 clothes"],
  ["::ffff:a9fe:a9fe", "a cloud's metadata in IPv6 clothes"],
  ["64:ff9b::a00:1", "a private network behind a translator"],
  ["2002:a00:1::", "a private network behind a tunnel"],
  ["localhost", "no address"],
  ["", "no address"],
];
for (const [address, what] of others) {
  test(`"${address}" is ${what}, and refused`, (t) => t.false(isPublicAddress(address)));
}
