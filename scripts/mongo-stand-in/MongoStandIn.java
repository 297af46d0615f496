import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.AbstractUniqueIndex;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.DatabaseResolver;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Collection;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.backend.memory.MemoryCollection;
import de.bwaldvogel.mongo.backend.memory.MemoryDatabase;
import de.bwaldvogel.mongo.bson.BinData;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import de.bwaldvogel.mongo.oplog.Oplog;
import de.bwaldvogel.mongo.wire.BsonConstants;
import de.bwaldvogel.mongo.wire.bson.BsonEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/**
 * A server for development if no mongod is available: mongo-java-server, with its data in memory or in a file. Arguments:
 * port, and optionally the data file. Exits when its standard input ends, so it never outlives the process that started it.
 */
public class MongoStandIn {
  public static void main(String[] args) throws Exception {
    // A single thread handles all calls, because a document would be inconsistent if one thread read it while another changed
    // it.
    System.setProperty("io.netty.eventLoopThreads", "1");
    MongoBackend backend = args.length > 1 ? new FileBackend(openStore(args[1])) : new MemoryOnlyBackend();
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

  /** Documents and indexes in memory. */
  private static class MemoryOnlyBackend extends MemoryBackend {
    @Override
    public MemoryDatabase openOrCreateDatabase(String name) {
      return new MemoryOnlyDatabase(name, getCursorRegistry());
    }
  }

  private static class MemoryOnlyDatabase extends MemoryDatabase {
    MemoryOnlyDatabase(String name, CursorRegistry cursors) {
      super(name, cursors);
    }

    @Override
    public Document handleCommand(
        Channel channel, String command, Document query, DatabaseResolver resolver, Oplog oplog) {
      // Like MongoDB, a pipeline over a collection without any document runs all of its stages.
      if (query.get("aggregate") instanceof String name) resolveOrCreateCollection(name);
      return FirstIds.during(query, () -> super.handleCommand(channel, command, query, resolver, oplog));
    }

    @Override
    protected MemoryCollection openOrCreateCollection(String name, CollectionOptions options) {
      return new MemoryOnlyCollection(this, name, options, cursorRegistry);
    }

    @Override
    protected Index<Integer> openOrCreateUniqueIndex(String collection, String name, List<IndexKey> keys, boolean sparse) {
      return new KeyIndex<>(name, keys, sparse);
    }
  }

  private static class MemoryOnlyCollection extends MemoryCollection {
    MemoryOnlyCollection(MongoDatabase database, String name, CollectionOptions options, CursorRegistry cursors) {
      super(database, name, options, cursors);
    }

    @Override
    public Stream<Document> queryAllAsStream() {
      Document ids = FirstIds.of(getCollectionName());
      return ids == null ? super.queryAllAsStream() : handleQueryAsStream(ids);
    }

    @Override
    protected QueryResult queryDocuments(
        Document query, Document orderBy, int skip, int limit, int batchSize, Document fields) {
      Walk<Integer> walk = Walk.of(getIndexes(), query, orderBy);
      if (walk == null) return super.queryDocuments(query, orderBy, skip, limit, batchSize, fields);
      return matchDocuments(
          walk.queryLeft(), walk.positions(), walk.orderLeft(), skip, limit, batchSize, fields);
    }

    @Override
    protected QueryResult matchDocumentsFromStream(
        Document query,
        Stream<Document> documents,
        int skip,
        int limit,
        int batchSize,
        Comparator<Document> order,
        Document fields) {
      Shown shown = Shown.of(query, documents, order, fields);
      return super.matchDocumentsFromStream(
          query, shown.documents(), skip, limit, batchSize, order, shown.fields());
    }

    /** Off, because nothing reads the size, and the library would encode every changing document twice for it. */
    @Override
    protected boolean tracksDataSize() {
      return false;
    }
  }

  /**
   * Documents in a file, indexes in memory: the library's own file indexes store serialized keys and compare them byte
   * by byte.
   */
  private static class FileBackend extends H2Backend {
    FileBackend(MVStore store) {
      super(store);
    }

    @Override
    protected MongoDatabase openOrCreateDatabase(String name) {
      return new FileDatabase(name);
    }

    /** An inner class: it reads the backend's fields, which are already set when its collections are opened, unlike its own. */
    private class FileDatabase extends H2Database {
      FileDatabase(String name) {
        super(name, getMvStore(), getCursorRegistry());
      }

      @Override
      public Document handleCommand(
          Channel channel, String command, Document query, DatabaseResolver resolver, Oplog oplog) {
        if (query.get("aggregate") instanceof String name) resolveOrCreateCollection(name);
        return FirstIds.during(query, () -> super.handleCommand(channel, command, query, resolver, oplog));
      }

      /** Uses the same map names as the library. */
      @Override
      protected MongoCollection<Object> openOrCreateCollection(String name, CollectionOptions options) {
        String path = databaseName + "." + name;
        MVMap<Object, Document> documents = getMvStore().openMap("databases." + path);
        MVMap<String, Object> meta = getMvStore().openMap("meta." + path);
        return new FileCollection(this, name, options, documents, meta, cursorRegistry);
      }

      /** The library fills an empty index from the documents when it opens the collection. */
      @Override
      protected Index<Object> openOrCreateUniqueIndex(
          String collection, String name, List<IndexKey> keys, boolean sparse) {
        return new KeyIndex<>(name, keys, sparse);
      }
    }
  }

  private static class FileCollection extends H2Collection {
    FileCollection(
        MongoDatabase database,
        String name,
        CollectionOptions options,
        MVMap<Object, Document> documents,
        MVMap<String, Object> meta,
        CursorRegistry cursors) {
      super(database, name, options, documents, meta, cursors);
    }

    @Override
    public Stream<Document> queryAllAsStream() {
      Document ids = FirstIds.of(getCollectionName());
      return ids == null ? super.queryAllAsStream() : handleQueryAsStream(ids);
    }

    @Override
    protected QueryResult queryDocuments(
        Document query, Document orderBy, int skip, int limit, int batchSize, Document fields) {
      Walk<Object> walk = Walk.of(getIndexes(), query, orderBy);
      if (walk == null) return super.queryDocuments(query, orderBy, skip, limit, batchSize, fields);
      return matchDocuments(
          walk.queryLeft(), walk.positions(), walk.orderLeft(), skip, limit, batchSize, fields);
    }

    @Override
    protected QueryResult matchDocumentsFromStream(
        Document query,
        Stream<Document> documents,
        int skip,
        int limit,
        int batchSize,
        Comparator<Document> order,
        Document fields) {
      Shown shown = Shown.of(query, documents, order, fields);
      return super.matchDocumentsFromStream(
          query, shown.documents(), skip, limit, batchSize, order, shown.fields());
    }

    /** Off, because nothing reads the size, and the library would encode every changing document twice for it. */
    @Override
    protected boolean tracksDataSize() {
      return false;
    }
  }

  /**
   * Returns documents without the fields that a projection leaves out, and the remaining projection. The library copies a
   * whole document, however long the list that it then leaves out.
   */
  private record Shown(Stream<Document> documents, Document fields) {
    static Shown of(Document query, Stream<Document> documents, Comparator<Document> order, Document fields) {
      boolean needsWhole = !query.isEmpty() || order != null;
      if (needsWhole || fields == null || !leavesOut(fields)) return new Shown(documents, fields);
      return new Shown(documents.map(document -> without(document, fields.keySet())), new Document());
    }

    /** Whether a projection names only fields that it leaves out, none of them within another. */
    private static boolean leavesOut(Document fields) {
      return fields.entrySet().stream()
          .allMatch(field -> !field.getKey().contains(".") && Integer.valueOf(0).equals(field.getValue()));
    }

    private static Document without(Document document, Set<String> fields) {
      Document rest = document.clone();
      rest.keySet().removeAll(fields);
      return rest;
    }
  }

  /**
   * The ids by which the current aggregation begins to read each collection. The library reads all documents of a collection
   * first. Like MongoDB, this uses the index on ids for the first stage of a pipeline. One thread handles all calls.
   */
  private static class FirstIds {
    private static Map<String, Document> present = Map.of();

    static Document during(Document command, Supplier<Document> run) {
      if (!(command.get("aggregate") instanceof String collection)) return run.get();
      Map<String, Document> ids = new HashMap<>();
      Set<String> several = new HashSet<>();
      note(collection, command.get("pipeline"), ids, several);
      ids.keySet().removeAll(several);
      present = ids;
      try {
        return run.get();
      } finally {
        present = Map.of();
      }
    }

    /** Null for a collection that is not read by ids, or that several pipelines read. */
    static Document of(String collection) {
      return present.get(collection);
    }

    private static void note(String collection, Object pipeline, Map<String, Document> ids, Set<String> several) {
      if (!(pipeline instanceof List<?> stages)) return;
      boolean isFirst = true;
      Document condition = null;
      for (Object stage : stages) {
        if (isFirst && stage instanceof Document first && first.get("$match") instanceof Document match && match.containsKey("_id"))
          condition = new Document("_id", match.get("_id"));
        isFirst = false;
        if (stage instanceof Document later && later.get("$lookup") instanceof Document lookup)
          note(String.valueOf(lookup.get("from")), lookup.get("pipeline"), ids, several);
      }
      if (condition == null || ids.putIfAbsent(collection, condition) != null) several.add(collection);
    }
  }

  /** A unique index in memory. The index of `_id` is also ordered, for walks over a range of keys. */
  private static class KeyIndex<P> extends AbstractUniqueIndex<P> {
    private final Map<KeyValue, P> positions = new HashMap<>();
    private final NavigableMap<String, P> ordered = new TreeMap<>();

    KeyIndex(String name, List<IndexKey> keys, boolean sparse) {
      super(name, keys, sparse);
    }

    boolean isOfIds() {
      return keys().equals(List.of("_id"));
    }

    /** Every collection has one index on ids, which is consulted before a document is added or replaced. */
    @Override
    public synchronized void checkAdd(Document document, MongoCollection<P> collection) {
      if (isOfIds()) Size.refuseTooLarge(document, 10334, "object to insert too large");
      super.checkAdd(document, collection);
    }

    @Override
    public synchronized void checkUpdate(Document before, Document after, MongoCollection<P> collection) {
      if (isOfIds()) Size.refuseTooLarge(after, 17419, "Resulting document after update is larger than 16777216");
      super.checkUpdate(before, after, collection);
    }

    @Override
    protected P removeDocument(KeyValue key) {
      if (isOfIds() && key.get(0) instanceof String id) ordered.remove(id);
      return positions.remove(key);
    }

    @Override
    protected boolean putKeyPosition(KeyValue key, P position) {
      if (positions.putIfAbsent(key, position) != null) return false;
      if (isOfIds() && key.get(0) instanceof String id) ordered.put(id, position);
      return true;
    }

    @Override
    protected Iterable<Map.Entry<KeyValue, P>> getIterable() {
      return positions.entrySet();
    }

    @Override
    protected P getPosition(KeyValue key) {
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

  /** The size of documents. Like MongoDB, and unlike the library, the stand-in stores no document of more than 16 MiB. */
  private static class Size {
    private static final int BYTES_PER_CHARACTER = 3;
    private static final int BYTES_BESIDE_VALUE = 32;

    static void refuseTooLarge(Document document, int code, String message) {
      // Nearly all documents are small, and this is recognised without encoding them.
      if (most(document) <= BsonConstants.MAX_BSON_OBJECT_SIZE) return;
      ByteBuf encoded = Unpooled.buffer();
      BsonEncoder.encodeDocument(document, encoded);
      int size = encoded.readableBytes();
      if (size > BsonConstants.MAX_BSON_OBJECT_SIZE)
        throw new MongoServerError(code, "BSONObjectTooLarge", message + " (" + size + " bytes)");
    }

    /** Returns an upper bound for the size of a value. */
    private static long most(Object value) {
      long size = BYTES_BESIDE_VALUE;
      if (value instanceof String text) return size + (long) text.length() * BYTES_PER_CHARACTER;
      if (value instanceof byte[] bytes) return size + bytes.length;
      if (value instanceof BinData data) return size + data.getData().length;
      if (value instanceof Collection<?> list) for (Object entry : list) size += most(entry);
      if (value instanceof Document document)
        for (Map.Entry<String, Object> field : document.entrySet())
          size += (long) field.getKey().length() * BYTES_PER_CHARACTER + most(field.getValue());
      return size;
    }
  }

  /**
   * Returns the documents with one id, a list of ids or a range of ids in order, and the remaining conditions and sorting.
   * The library uses an index only for a query on exactly its keys; otherwise it would read every document and sort the
   * matches. It also compares each document that it finds with each id of a list. Like MongoDB, this uses the index on ids
   * even if the query has other conditions, and stops at the limit.
   */
  private record Walk<P>(Iterable<P> positions, Document queryLeft, Document orderLeft) {
    /** Null if a query has no id that is a string, no list and no range of such ids. */
    static <P> Walk<P> of(List<Index<P>> indexes, Document query, Document orderBy) {
      for (Index<P> index : indexes) {
        if (!(index instanceof KeyIndex<P> keys) || !keys.isOfIds()) continue;
        Document queryLeft = query.clone();
        Object ids = queryLeft.remove("_id");
        if (ids instanceof String id) return ofIds(keys, List.of(id), queryLeft, orderBy);
        if (!(ids instanceof Document condition) || condition.isEmpty()) return null;
        return condition.size() == 1 && condition.get("$in") instanceof Collection<?> list
            ? ofIds(keys, list, queryLeft, orderBy)
            : ofRange(keys.ordered, condition, queryLeft, orderBy);
      }
      return null;
    }

    private static <P> Walk<P> ofIds(
        KeyIndex<P> keys, Collection<?> ids, Document queryLeft, Document orderBy) {
      List<P> positions = new ArrayList<>(ids.size());
      for (Object id : new LinkedHashSet<>(ids)) {
        if (!(id instanceof String text)) return null;
        P position = keys.getPosition(new KeyValue(text));
        if (position != null) positions.add(position);
      }
      return new Walk<>(positions, queryLeft, orderBy);
    }

    private static <P> Walk<P> ofRange(
        NavigableMap<String, P> ordered, Document range, Document queryLeft, Document orderBy) {
      NavigableMap<String, P> within = ordered;
      for (Map.Entry<String, Object> bound : range.entrySet()) {
        if (!(bound.getValue() instanceof String id)) return null;
        within = narrow(within, bound.getKey(), id);
        if (within == null) return null;
      }
      boolean isById = orderBy != null && orderBy.keySet().equals(Set.of("_id"));
      boolean isDescending = isById && ((Number) orderBy.get("_id")).intValue() < 0;
      Collection<P> found = (isDescending ? within.descendingMap() : within).values();
      // The iterator, not the collection: the size of a map's view is computed by counting its keys.
      return new Walk<>(found::iterator, queryLeft, isById ? new Document() : orderBy);
    }

    private static <P> NavigableMap<String, P> narrow(NavigableMap<String, P> map, String operator, String id) {
      boolean isEmpty = map.isEmpty();
      return switch (operator) {
        case "$gt", "$gte" -> isEmpty || map.lastKey().compareTo(id) < 0
            ? Collections.emptyNavigableMap()
            : map.firstKey().compareTo(id) > 0 ? map : map.tailMap(id, operator.equals("$gte"));
        case "$lt", "$lte" -> isEmpty || map.firstKey().compareTo(id) > 0
            ? Collections.emptyNavigableMap()
            : map.lastKey().compareTo(id) < 0 ? map : map.headMap(id, operator.equals("$lte"));
        default -> null;
      };
    }
  }

  /** The wire version that the driver requires, and a version text that names the stand-in. */
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
