package io.weir.engine.graph;

import io.weir.engine.api.BroadcastStateDescriptor;
import io.weir.engine.api.Codec;
import io.weir.engine.api.OutputTag;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Copies a user's function for each task by serialization in memory, so that tasks share no fields. A lambda has none of its own
 * and stays as it is. Codecs, output tags and descriptors of broadcast states that a function holds are shared, not copied.
 */
final class FunctionCopies {
    private FunctionCopies() {}

    /**
     * A function for one task.
     *
     * @param function of the user.
     * @param operator that it belongs to, for the error.
     * @param <F> type of the function.
     * @return the same lambda, or a copy of the object.
     * @throws PlanException if it cannot be copied.
     */
    @SuppressWarnings({"unchecked", "BanSerializableRead"}) // Reads back what was written two lines before.
    static <F> F copy(final F function, final String operator) {
        if (FunctionTypes.isLambda(function)) {
            return function;
        }
        final List<Object> shared = new ArrayList<>();
        final Map<String, Class<?>> classes = new HashMap<>();
        try {
            final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new SharingOutput(bytes, shared, classes)) {
                out.writeObject(function);
            }
            try (ObjectInputStream in =
                    new SharingInput(new ByteArrayInputStream(bytes.toByteArray()), shared, classes)) {
                return (F) in.readObject();
            }
        } catch (final IOException | ClassNotFoundException e) {
            throw new PlanException(
                    operator + ": its function " + function.getClass().getName()
                            + " cannot be copied for each task by serialization: " + e
                            + "; make what it holds serializable or transient, or write it as a static class",
                    e);
        }
    }

    private record Shared(int index) implements Serializable {}

    private static final class SharingOutput extends ObjectOutputStream {
        private final List<Object> shared;
        private final Map<String, Class<?>> classes;

        SharingOutput(final OutputStream out, final List<Object> shared, final Map<String, Class<?>> classes)
                throws IOException {
            super(out);
            this.shared = shared;
            this.classes = classes;
            enableReplaceObject(true);
        }

        @Override
        protected void annotateClass(final Class<?> type) {
            classes.put(type.getName(), type);
        }

        @Override
        protected Object replaceObject(final Object object) {
            if (object instanceof Codec<?>
                    || object instanceof OutputTag<?>
                    || object instanceof BroadcastStateDescriptor<?, ?>) {
                shared.add(object);
                return new Shared(shared.size() - 1);
            }
            return object;
        }
    }

    /** Takes the very classes that were written: what a function of ours holds may come from a loader that ours can't see. */
    private static final class SharingInput extends ObjectInputStream {
        private final List<Object> shared;
        private final Map<String, Class<?>> classes;

        SharingInput(final InputStream in, final List<Object> shared, final Map<String, Class<?>> classes)
                throws IOException {
            super(in);
            this.shared = shared;
            this.classes = classes;
            enableResolveObject(true);
        }

        @Override
        protected Object resolveObject(final Object object) {
            return object instanceof Shared reference ? shared.get(reference.index()) : object;
        }

        @Override
        protected Class<?> resolveClass(final ObjectStreamClass description)
                throws IOException, ClassNotFoundException {
            final Class<?> written = classes.get(description.getName());
            return written == null ? super.resolveClass(description) : written;
        }
    }
}
