package io.weir.engine.graph;

import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds out what a user's function takes and gives. A class says so in its generic superinterface; a lambda or method reference
 * is serializable and so tells its erased signature: enough for what it returns, not for what it hands to a collector.
 */
final class FunctionTypes {
    private FunctionTypes() {}

    /**
     * The class of a type parameter of a function's interface.
     *
     * @param function of the user.
     * @param functionInterface that it implements.
     * @param parameter index of the type parameter.
     * @param returned whether the interface's one method returns that parameter, so that a lambda shows it.
     * @return null if it cannot be known.
     */
    static Class<?> argument(
            final Object function, final Class<?> functionInterface, final int parameter, final boolean returned) {
        final SerializedLambda lambda = lambda(function);
        if (lambda != null) {
            return returned ? returnType(lambda, function.getClass().getClassLoader()) : null;
        }
        final Type argument = resolve(function.getClass(), functionInterface, Map.of(), parameter);
        return erase(argument);
    }

    /**
     * Whether a function is a lambda or a method reference.
     *
     * @param function of the user.
     * @return false for an object of a class.
     */
    static boolean isLambda(final Object function) {
        return lambda(function) != null;
    }

    private static SerializedLambda lambda(final Object function) {
        if (!function.getClass().isSynthetic() && !function.getClass().isHidden()) {
            return null;
        }
        try {
            final Method writeReplace = function.getClass().getDeclaredMethod("writeReplace");
            writeReplace.setAccessible(true);
            return writeReplace.invoke(function) instanceof SerializedLambda form ? form : null;
        } catch (final ReflectiveOperationException | RuntimeException e) {
            // No lambda, or its package is closed to us: then nothing can be inferred and the user is asked for a
            // codec.
            return null;
        }
    }

    private static Class<?> returnType(final SerializedLambda lambda, final ClassLoader loader) {
        try {
            final Class<?> instantiated = MethodType.fromMethodDescriptorString(
                            lambda.getInstantiatedMethodType(), loader)
                    .returnType();
            if (instantiated != Object.class) {
                return wrap(instantiated);
            }
            if (lambda.getImplMethodKind() == MethodHandleInfo.REF_newInvokeSpecial) {
                return Class.forName(lambda.getImplClass().replace('/', '.'), false, loader);
            }
            return wrap(MethodType.fromMethodDescriptorString(lambda.getImplMethodSignature(), loader)
                    .returnType());
        } catch (final TypeNotPresentException | ClassNotFoundException e) {
            return null;
        }
    }

    /** Walks up the class until the interface is found, carrying what its type variables stand for. */
    private static Type resolve(
            final Class<?> type, final Class<?> wanted, final Map<TypeVariable<?>, Type> bound, final int parameter) {
        if (type == wanted) {
            return bound.get(wanted.getTypeParameters()[parameter]);
        }
        for (final Type parent : type.getGenericInterfaces()) {
            final Type found = resolveParent(parent, wanted, bound, parameter);
            if (found != null) {
                return found;
            }
        }
        final Type parent = type.getGenericSuperclass();
        return parent == null ? null : resolveParent(parent, wanted, bound, parameter);
    }

    private static Type resolveParent(
            final Type parent, final Class<?> wanted, final Map<TypeVariable<?>, Type> bound, final int parameter) {
        final Map<TypeVariable<?>, Type> inner = new HashMap<>();
        final Class<?> raw = erase(parent);
        if (raw == null || !wanted.isAssignableFrom(raw)) {
            return null;
        }
        if (parent instanceof ParameterizedType parameterized) {
            final Type[] arguments = parameterized.getActualTypeArguments();
            for (int i = 0; i < arguments.length; i++) {
                final Type argument = arguments[i];
                inner.put(
                        raw.getTypeParameters()[i],
                        argument instanceof TypeVariable<?> variable ? bound.get(variable) : argument);
            }
        }
        return resolve(raw, wanted, inner, parameter);
    }

    private static Class<?> erase(final Type type) {
        if (type instanceof Class<?> plain) {
            return plain;
        }
        if (type instanceof ParameterizedType parameterized) {
            return (Class<?>) parameterized.getRawType();
        }
        return type instanceof GenericArrayType ? Object[].class : null;
    }

    private static Class<?> wrap(final Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }
}
