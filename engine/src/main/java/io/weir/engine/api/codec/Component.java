package io.weir.engine.api.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * One component of a record: primitives as they are, everything else behind a byte that says whether it is there (1) or null
 * (0). One task per instance.
 */
abstract class Component {
    private final String name;

    Component(final String name) {
        this.name = name;
    }

    final String name() {
        return name;
    }

    /** The type's name in the signature. */
    abstract String type();

    /** Writes the component of a record and returns its length in bytes. */
    abstract int write(Object record, MutableDirectBuffer buffer, int offset) throws Throwable;

    /** Checks that the component ends before the limit and returns the offset behind it. */
    abstract int end(DirectBuffer buffer, int offset, int limit);

    /** Takes (buffer, offset, end) and gives the component in its own type. */
    abstract MethodHandle reader();

    /** A primitive. */
    static final class Primitive extends Component {
        private final Class<?> type;
        private final int bytes;
        private final MethodHandle writer;
        private final MethodHandle reader;

        Primitive(final RecordComponent component, final MethodHandle getter) throws ReflectiveOperationException {
            super(component.getName());
            this.type = component.getType();
            this.bytes = ((PrimitiveLayout<?>) PrimitiveLayout.BY_BOX.get(
                            MethodType.methodType(type).wrap().returnType()))
                    .bytes();
            final String suffix = Character.toUpperCase(type.getName().charAt(0))
                    + type.getName().substring(1);
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            final MethodHandle put = lookup.findStatic(
                    PrimitiveLayout.Primitives.class,
                    "put" + suffix,
                    MethodType.methodType(void.class, MutableDirectBuffer.class, int.class, type));
            this.writer =
                    MethodHandles.filterArguments(put, 2, getter.asType(MethodType.methodType(type, Object.class)));
            final MethodHandle get = lookup.findStatic(
                    PrimitiveLayout.Primitives.class,
                    "get" + suffix,
                    MethodType.methodType(type, DirectBuffer.class, int.class));
            this.reader = MethodHandles.dropArguments(get, 2, int.class);
        }

        @Override
        String type() {
            return type.getName();
        }

        @Override
        int write(final Object record, final MutableDirectBuffer buffer, final int offset) throws Throwable {
            writer.invokeExact(buffer, offset, record);
            return bytes;
        }

        @Override
        int end(final DirectBuffer buffer, final int offset, final int limit) {
            return Layout.need(type.getName(), bytes, offset, limit);
        }

        @Override
        MethodHandle reader() {
            return reader;
        }
    }

    /** An object or null. */
    static final class Reference extends Component {
        private static final MethodHandle READ = handle();

        private final Class<?> type;
        private final MethodHandle getter;
        private final Layout<Object> layout;

        @SuppressWarnings("unchecked") // The layout was looked up by the component's type.
        Reference(final RecordComponent component, final MethodHandle getter, final Layout<?> layout) {
            super(component.getName());
            this.type = component.getType();
            this.getter = getter.asType(MethodType.methodType(Object.class, Object.class));
            this.layout = (Layout<Object>) layout;
        }

        @Override
        String type() {
            return layout.type() + "?";
        }

        @Override
        int write(final Object record, final MutableDirectBuffer buffer, final int offset) throws Throwable {
            final Object value = (Object) getter.invokeExact(record);
            if (value == null) {
                buffer.putByte(offset, (byte) 0);
                return 1;
            }
            buffer.putByte(offset, (byte) 1);
            return 1 + layout.write(value, buffer, offset + 1);
        }

        @Override
        int end(final DirectBuffer buffer, final int offset, final int limit) {
            final int start = Layout.need(layout.type(), 1, offset, limit);
            final byte present = buffer.getByte(offset);
            if (present != 0 && present != 1) {
                throw new IllegalArgumentException("byte " + present + " is neither present (1) nor null (0)");
            }
            return present == 0 ? start : layout.end(buffer, start, limit);
        }

        @Override
        MethodHandle reader() {
            return READ.bindTo(this).asType(MethodType.methodType(type, DirectBuffer.class, int.class, int.class));
        }

        Object read(final DirectBuffer buffer, final int offset, final int end) {
            return end == offset + 1 && buffer.getByte(offset) == 0 ? null : layout.read(buffer, offset + 1, end);
        }

        private static MethodHandle handle() {
            try {
                return MethodHandles.lookup()
                        .findVirtual(
                                Reference.class,
                                "read",
                                MethodType.methodType(Object.class, DirectBuffer.class, int.class, int.class));
            } catch (final ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }
}
