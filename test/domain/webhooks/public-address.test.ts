import test from "ava";
import { isPublicAddress, parsePrivateReceivers, privateHost } from "../../../domain/webhooks/public-address.ts";

for (const address of ["8.8.8.8", "93.184.216.34", "2001:4860:4860::8888", "::ffff:8.8.8.8"]) {
  test(`${address} is on the public internet`, (t) => t.true(isPublicAddress(address)));
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
  ["::ffff:127.0.0.1", "this machine in IPv6 form"],
  ["::ffff:a9fe:a9fe", "a cloud's metadata in IPv6 form"],
  ["64:ff9b::a00:1", "a private network behind a translator"],
  ["2002:a00:1::", "a private network behind a tunnel"],
  ["::7f00:1", "this machine in an older IPv6 form"],
  ["::10.0.0.1", "a private network in an older IPv6 form"],
  ["::8.8.8.8", "an IPv4 address in an older IPv6 form"],
  ["64:ff9b::808:808", "an IPv4 address behind a translator"],
  ["64:ff9b:1::a00:1", "a private network behind its own translator"],
  ["::ffff:0:808:808", "a translated IPv4 address"],
  ["168.63.129.16", "Azure's platform"],
  ["::ffff:168.63.129.16", "Azure's platform in IPv6 form"],
  ["fd00:ec2::254", "a cloud's metadata"],
  ["4000::1", "an unassigned address"],
  ["localhost", "no address"],
  ["", "no address"],
];
for (const [address, what] of others) {
  test(`"${address}" is ${what} and is refused`, (t) => t.false(isPublicAddress(address)));
}

const LIST = "hooks.internal:8443, 10.1.0.0/16:443,[fd00::/8]:*,192.168.1.7:80,[fe80::7]:81";
for (const [url, isAllowed] of [
  ["https://10.1.2.3/events", true],
  ["https://10.1.2.3:8443/events", false],
  ["https://10.2.2.3/events", false],
  ["http://192.168.1.7/", true],
  ["http://192.168.1.8/", false],
  ["http://[fd12::1]:9999/", true],
  ["http://[fe80::7]:81/", true],
  ["http://[::ffff:192.168.1.7]/", true],
  ["http://169.254.169.254/", false],
] as const) {
  test(`an operator's list of private receivers ${isAllowed ? "contains" : "does not contain"} ${url}`, (t) => {
    t.is(privateHost(url, parsePrivateReceivers(LIST)) === undefined, isAllowed);
    t.not(privateHost(url, parsePrivateReceivers("")), undefined);
  });
}

test("a listed name is compared as in DNS, with its port", (t) => {
  const { hasName } = parsePrivateReceivers(LIST);
  t.deepEqual(
    [
      hasName("Hooks.Internal.", 8443),
      hasName("hooks.internal", 443),
      hasName("internal", 8443),
      hasName("10.1.2.3", 443),
    ],
    [true, false, false, false],
  );
});

test("an invalid network is refused, and the error names it", (t) => {
  t.throws(() => parsePrivateReceivers("10.1.0.0/33:443"), { message: /"10\.1\.0\.0\/33:443"/ });
});
