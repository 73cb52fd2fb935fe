package io.weir.benchmarks.state;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB as stream processors use it: no write-ahead log, Bloom filters, a block cache that holds all of it, compaction on
 * threads of its own.
 */
final class RocksContender implements Contender {
    private static final long CACHE_BYTES = 2L << 30;
    private static final int BLOOM_BITS = 10;
    private static final int FILL_BATCH = 1000;
    private static final int AFFORDABLE = 200_000;

    private final Cache cache = new LRUCache(CACHE_BYTES);
    private final BloomFilter filter = new BloomFilter(BLOOM_BITS);
    private final Options options = new Options();
    private final WriteOptions writes = new WriteOptions().setDisableWAL(true);
    private final byte[] key = new byte[Keys.KEY_LENGTH];
    private final byte[] value = new byte[Keys.VALUE_LENGTH];
    private final ByteBuffer keyBytes = ByteBuffer.wrap(key).order(ByteOrder.BIG_ENDIAN);
    private final ByteBuffer valueBytes = ByteBuffer.wrap(value).order(ByteOrder.nativeOrder());
    private final RocksDB database;

    RocksContender(final Path folder) {
        options.setCreateIfMissing(true)
                .setMaxBackgroundJobs(2)
                .setTableFormatConfig(
                        new BlockBasedTableConfig().setBlockCache(cache).setFilterPolicy(filter));
        try {
            database = RocksDB.open(options, folder.toString());
        } catch (final RocksDBException e) {
            throw failed(e);
        }
    }

    @Override
    public String name() {
        return "RocksDB";
    }

    @Override
    public void fill(final Keys.Draw keys) {
        try {
            for (int from = 0; from < keys.size(); from += FILL_BATCH) {
                final int end = Math.min(keys.size(), from + FILL_BATCH);
                try (WriteBatch batch = new WriteBatch()) {
                    for (int i = from; i < end; i++) {
                        final long toPut = keys.keys()[i];
                        keyBytes.putLong(0, toPut);
                        valueBytes.putLong(0, 0).putLong(Long.BYTES, toPut).putLong(2 * Long.BYTES, ~toPut);
                        batch.put(key, value);
                    }
                    database.write(writes, batch);
                }
            }
        } catch (final RocksDBException e) {
            throw failed(e);
        }
    }

    @Override
    public long read(final Keys.Draw keys) {
        long sum = 0;
        for (final long wanted : keys.keys()) {
            get(wanted);
            sum += valueBytes.getLong(0);
        }
        return sum;
    }

    @Override
    public void update(final Keys.Draw keys) {
        for (final long wanted : keys.keys()) {
            get(wanted);
            valueBytes.putLong(0, valueBytes.getLong(0) + 1);
            try {
                database.put(writes, key, value);
            } catch (final RocksDBException e) {
                throw failed(e);
            }
        }
    }

    private void get(final long wanted) {
        keyBytes.putLong(0, wanted);
        try {
            if (database.get(key, value) != Keys.VALUE_LENGTH) {
                throw new IllegalStateException("RocksDB has lost key " + wanted);
            }
        } catch (final RocksDBException e) {
            throw failed(e);
        }
    }

    @Override
    public long count(final long wanted, final int keyGroup) {
        get(wanted);
        return valueBytes.getLong(Long.BYTES) == wanted && valueBytes.getLong(2 * Long.BYTES) == ~wanted
                ? valueBytes.getLong(0)
                : WRONG;
    }

    /** Reads all there is; the number of entries. */
    long readAll() {
        long entries = 0;
        try (var iterator = database.newIterator()) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                entries++;
            }
            iterator.status();
        } catch (final RocksDBException e) {
            throw failed(e);
        }
        return entries;
    }

    /** Moves everything to files and waits until nothing is left to be merged. */
    void settle() {
        try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
            database.flush(flush);
            database.compactRange();
        } catch (final RocksDBException e) {
            throw failed(e);
        }
    }

    @Override
    public int affordable(final int keys) {
        return Math.min(keys, AFFORDABLE);
    }

    private static IllegalStateException failed(final RocksDBException e) {
        return new IllegalStateException("RocksDB: " + e.getMessage(), e);
    }

    @Override
    public void close() {
        database.close();
        writes.close();
        options.close();
        filter.close();
        cache.close();
    }
}
