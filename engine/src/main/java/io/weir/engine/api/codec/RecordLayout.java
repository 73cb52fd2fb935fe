package io.weir.engine.api.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A record: its components one after another, in order. Reading goes over the bytes twice: the first pass checks lengths and
 * finds where each component lies, the second calls the canonical constructor through one method handle that reads each
 * argument unboxed. One task per instance.
 */
final class RecordLayout<R> extends Layout<R> {
    private static final MethodHandle OFFSET = MethodHandles.arrayElementGetter(int[].class);

    private final Class<R> recordType;
    private final List<Class<?>> enclosing;
    private final Component[] components;
    private final int[] offsets;
    private final MethodHandle constructor;
    private final String type;

    RecordLayout(final Class<R> recordType, final List<Class<?>> enclosing) {
        if (enclosing.contains(recordType)) {
            throw new IllegalArgumentException("record " + recordType.getName() + " holds itself");
        }
        this.recordType = recordType;
        this.enclosing = enclosing;
        final RecordComponent[] parts = recordType.getRecordComponents();
        this.components = new Component[parts.length];
        this.offsets = new int[parts.length + 1];
        final List<Class<?>> chain = new ArrayList<>(enclosing);
        chain.add(recordType);
        try {
            final MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(recordType, MethodHandles.lookup());
            for (int i = 0; i < parts.length; i++) {
                components[i] = component(recordType, parts[i], lookup, chain);
            }
            this.constructor = constructor(lookup, parts);
        } catch (final ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "record " + recordType.getName() + " cannot be accessed: "
                            + "open its package to io.weir.engine, or write a codec for it",
                    e);
        }
        final StringBuilder signature = new StringBuilder(recordType.getSimpleName()).append('(');
        for (int i = 0; i < components.length; i++) {
            signature
                    .append(i == 0 ? "" : ",")
                    .append(components[i].name())
                    .append(':')
                    .append(components[i].type());
        }
        this.type = signature.append(')').toString();
    }

    private static Component component(
            final Class<?> recordType,
            final RecordComponent part,
            final MethodHandles.Lookup lookup,
            final List<Class<?>> chain)
            throws ReflectiveOperationException {
        final MethodHandle getter = lookup.unreflect(part.getAccessor());
        if (part.getType().isPrimitive()) {
            return new Component.Primitive(part, getter);
        }
        final Layout<?> layout = LayoutLookup.find(part.getType(), chain);
        if (layout == null) {
            throw new IllegalArgumentException("component " + part.getName() + " of record " + recordType.getName()
                    + " has type " + part.getType().getName()
                    + ", for which there is no layout: write a codec for the record");
        }
        return new Component.Reference(part, getter, layout);
    }

    /** Takes (buffer, offsets) and gives the record. */
    private MethodHandle constructor(final MethodHandles.Lookup lookup, final RecordComponent[] parts)
            throws ReflectiveOperationException {
        final Class<?>[] types =
                Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
        MethodHandle handle = lookup.findConstructor(recordType, MethodType.methodType(void.class, types));
        // The arguments grow from one to two each: (buffer, offsets) for every component, then all pairs become one
        // pair.
        for (int i = parts.length - 1; i >= 0; i--) {
            MethodHandle reader = components[i].reader();
            reader = MethodHandles.filterArguments(
                    reader,
                    1,
                    MethodHandles.insertArguments(OFFSET, 1, i),
                    MethodHandles.insertArguments(OFFSET, 1, i + 1));
            reader = MethodHandles.permuteArguments(
                    reader, MethodType.methodType(parts[i].getType(), DirectBuffer.class, int[].class), 0, 1, 1);
            handle = MethodHandles.collectArguments(handle, i, reader);
        }
        final int[] order = new int[2 * parts.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = i % 2;
        }
        final MethodType pair = MethodType.methodType(recordType, DirectBuffer.class, int[].class);
        return MethodHandles.permuteArguments(handle, pair, order)
                .asType(MethodType.methodType(Object.class, DirectBuffer.class, int[].class));
    }

    @Override
    String type() {
        return type;
    }

    @Override
    int write(final R value, final MutableDirectBuffer buffer, final int offset) {
        int position = offset;
        try {
            for (final Component component : components) {
                position += component.write(value, buffer, position);
            }
        } catch (final RuntimeException | Error e) {
            throw e;
        } catch (final Throwable e) {
            throw new IllegalArgumentException("an accessor of record " + recordType.getName() + " failed", e);
        }
        return position - offset;
    }

    @Override
    int end(final DirectBuffer buffer, final int offset, final int limit) {
        int position = offset;
        for (final Component component : components) {
            position = end(component, buffer, position, limit);
        }
        return position;
    }

    private int end(final Component component, final DirectBuffer buffer, final int offset, final int limit) {
        try {
            return component.end(buffer, offset, limit);
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    recordType.getSimpleName() + "." + component.name() + ": " + e.getMessage(), e);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // The handle is the constructor of R.
    R read(final DirectBuffer buffer, final int offset, final int end) {
        int position = offset;
        for (int i = 0; i < components.length; i++) {
            offsets[i] = position;
            position = end(components[i], buffer, position, end);
        }
        offsets[components.length] = position;
        try {
            return (R) (Object) constructor.invokeExact(buffer, offsets);
        } catch (final Error e) {
            throw e;
        } catch (final Throwable e) {
            throw new IllegalArgumentException("no " + recordType.getSimpleName() + ": " + e.getMessage(), e);
        }
    }

    @Override
    Layout<R> forTask() {
        return new RecordLayout<>(recordType, enclosing);
    }
}
