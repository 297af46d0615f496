import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.AbstractUniqueIndex;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.Missing;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.h2.mvstore.MVStore;

/**
 * A MongoDB for development where none can be had: mongo-java-server, in memory or kept in a file.
 * Arguments: port, and the file for data that shall stay. Ends when its standard input ends, so that
 * it never outlives who started it.
 */
public class MongoStandIn {
  public static void main(String[] args) throws Exception {
    // One thread answers everything: a document that is read while another thread changes it would be torn.
    System.setProperty("io.netty.eventLoopThreads", "1");
    MongoBackend backend = args.length > 1 ? new FileBackend(openStore(args[1])) : new MemoryBackend();
    backend.version(new StandInVersion());
    MongoServer server = new MongoServer(backend);
    server.bind("127.0.0.1", Integer.parseInt(args[0]));
    System.out.println("listening");
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    while (System.in.read() >= 0) { }
    System.exit(0);
  }

  private static MVStore openStore(String file) {
    return new MVStore.Builder().fileName(file).cacheSize(256).autoCommitBufferSize(8192).open();
  }

  /** Documents in a file, indexes in memory: the library's own keep serialized keys, and compare them byte by byte. */
  private static class FileBackend extends H2Backend {
    FileBackend(MVStore store) {
      super(store);
    }

    @Override
    protected MongoDatabase openOrCreateDatabase(String name) {
      return new FileDatabase(name, getMvStore(), getCursorRegistry());
    }
  }

  private static class FileDatabase extends H2Database {
    FileDatabase(String name, MVStore store, CursorRegistry cursors) {
      super(name, store, cursors);
    }

    /** An empty index is filled from the documents when its collection is opened. */
    @Override
    protected Index<Object> openOrCreateUniqueIndex(String collection, String name, List<IndexKey> keys, boolean sparse) {
      return new HashIndex(name, keys, sparse);
    }
  }

  private static class HashIndex extends AbstractUniqueIndex<Object> {
    private final Map<KeyValue, Object> positions = new HashMap<>();

    HashIndex(String name, List<IndexKey> keys, boolean sparse) {
      super(name, keys, sparse);
    }

    @Override
    protected Object removeDocument(KeyValue key) {
      return positions.remove(key);
    }

    @Override
    protected boolean putKeyPosition(KeyValue key, Object position) {
      return positions.putIfAbsent(key, Missing.ofNullable(position)) == null;
    }

    @Override
    protected Iterable<Map.Entry<KeyValue, Object>> getIterable() {
      return positions.entrySet();
    }

    @Override
    protected Object getPosition(KeyValue key) {
      return positions.get(key);
    }

    @Override
    public long getCount() {
      return positions.size();
    }

    @Override
    public boolean isEmpty() {
      return positions.isEmpty();
    }

    @Override
    public long getDataSize() {
      return positions.size();
    }
  }

  /** The wire version that the driver asks for, and a name that says what answers. */
  private static class StandInVersion implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(4, 4, 0);
    }

    @Override
    public String toVersionString() {
      return "stand-in (mongo-java-server 1.47)";
    }

    @Override
    public int getWireVersion() {
      return 9;
    }
  }
}
