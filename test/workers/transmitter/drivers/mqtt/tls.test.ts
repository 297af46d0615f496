import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import test from "ava";
import { eventually } from "../../../../harness/eventually.ts";
import { openMosquitto } from "../../../../harness/label-servers/mosquitto.ts";
import { openDriverAt, USERS } from "./scene.ts";

test("mqtts:// encrypts, and accepts only a certificate from a trusted authority", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "shelfwire-tls-"));
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const algorithm = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const subject = ["-subj", "/CN=broker", "-addext", "subjectAltName=IP:127.0.0.1"];
  const files = ["-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", ...algorithm, ...subject, ...files], { stdio: "ignore" });
  const broker = await openMosquitto({ users: USERS, tls: { certificate, key } });
  t.regex(broker.url, /^mqtts:/);
  const { driver, send } = openDriverAt(broker.url);
  const trusted = getCACertificates();
  t.teardown(async () => {
    setDefaultCACertificates(trusted);
    await driver.close();
    await broker.close();
    rmSync(folder, { recursive: true });
  });

  const untrusted = "the label server did not answer: DEPTH_ZERO_SELF_SIGNED_CERT";
  await eventually("the certificate is not trusted", async () => driver.lastCalls().failure?.reason === untrusted);
  t.true(driver.failingSince() !== undefined);
  setDefaultCACertificates([...trusted, readFileSync(certificate, "utf8")]);
  await eventually("it is trusted", async () => !driver.isAway());
  t.deepEqual(await send(1), { kind: "accepted" });
});
