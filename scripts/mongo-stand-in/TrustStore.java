import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;

/** Creates a trust store from the certificates in a PEM file, for a Java that is unpacked but not installed. */
public class TrustStore {
  public static void main(String[] args) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (var in = new FileInputStream(args[0])) {
      int count = 0;
      for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(in))
        store.setCertificateEntry("certificate-" + count++, certificate);
    }
    try (var out = new FileOutputStream(args[1])) {
      store.store(out, "changeit".toCharArray());
    }
  }
}
