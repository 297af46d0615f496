import test from "ava";
import { reprDigest } from "../../runtime/repr-digest.ts";

test("the digest of a body is its SHA-256 in Base64, between colons", (t) => {
  // `printf '' | openssl dgst -sha256 -binary | base64`
  t.is(reprDigest(""), "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:");
  t.is(reprDigest(Buffer.from("")), reprDigest(""));
});
