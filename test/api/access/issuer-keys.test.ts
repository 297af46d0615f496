import test from "ava";
import { IssuerError, MAX_KEYS_BYTES, REFRESH_INTERVAL_MS } from "../../../api/access/issuer-keys.ts";
import { eventually } from "../../harness/eventually.ts";
import { now, openIssuer, refusal, verifierOf } from "./an-issuer.ts";

test("after the issuer rotates its key the new key is accepted and the old key is not", async (t) => {
  const issuer = await openIssuer(t);
  let time = Date.now();
  const verify = verifierOf(issuer.url, () => time);
  const remembered = await issuer.sign({ exp: now() + 3_600 });
  await verify(remembered);
  const old = await issuer.sign({ sub: "signed before" });
  await issuer.change();
  const fresh = await issuer.sign();
  // An unknown key is fetched immediately, but not again within several seconds.
  await eventually("the new key is known", () => verify(fresh));
  t.is(await refusal(t, verify(old)), "The issuer does not have the key that signed the token");
  time += 60_001;
  const reason = await refusal(t, verify(remembered));
  t.is(reason, "The issuer does not have the key that signed the token", "a cached token does not outlive its key");
});

test("many tokens with unknown keys lead to only a few requests to the issuer", async (t) => {
  const issuer = await openIssuer(t);
  const verify = verifierOf(issuer.url);
  const began = performance.now();
  for (let index = 0; index < 20; index += 1) {
    const stranger = await issuer.sign({}, undefined, { kid: `stranger-${index}` });
    await refusal(t, verify(stranger));
  }
  const intervals = Math.ceil((performance.now() - began) / REFRESH_INTERVAL_MS);
  t.true(issuer.asked() <= 2 + intervals, `${issuer.asked()} requests in ${intervals} intervals`);
});

test("while the issuer is unreachable no token can be verified", async (t) => {
  const issuer = await openIssuer(t);
  const token = await issuer.sign();
  await issuer.close();
  await t.throwsAsync(verifierOf(issuer.url)(token), { instanceOf: IssuerError });
});

for (const answer of ["no JSON", "{}", '{"keys": 1}', '{"keys": [{"kty": "RSA", "kid": "key-1", "alg": "RS256"}]}']) {
  test(`an issuer that responds with ${answer} counts as unreachable`, async (t) => {
    const issuer = await openIssuer(t);
    issuer.answerWith(answer);
    await t.throwsAsync(verifierOf(issuer.url)(await issuer.sign()), { instanceOf: IssuerError });
  });
}

test("an issuer whose response is too long counts as unreachable, even if it contains the key", async (t) => {
  const issuer = await openIssuer(t);
  issuer.answerWith(JSON.stringify({ keys: [issuer.published()], more: "x".repeat(MAX_KEYS_BYTES) }));
  await t.throwsAsync(verifierOf(issuer.url)(await issuer.sign()), { instanceOf: IssuerError });
});

test("cached keys stay valid while the issuer is unreachable; a token signed with an unknown key throws an IssuerError", async (t) => {
  const issuer = await openIssuer(t);
  const verify = verifierOf(issuer.url);
  await verify(await issuer.sign());
  await issuer.close();
  await t.notThrowsAsync(verify(await issuer.sign({ sub: "another token" })));
  await issuer.change();
  const unknown = await issuer.sign();
  // In the first seconds after a fetch an unknown key is not fetched again.
  const error = await eventually("the keys are fetched again", () =>
    verify(unknown).then(
      () => undefined,
      (thrown: unknown) => thrown instanceof IssuerError && thrown,
    ),
  );
  t.notRegex(error.message, /eyJ/);
});
