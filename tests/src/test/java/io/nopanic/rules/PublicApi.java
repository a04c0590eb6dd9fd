package io.nopanic.rules;

import static java.util.stream.Collectors.joining;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what users of a type can see of it, one line for each element, in an order that does not depend on the order in the
 * source: so that a change to the public surface is a change to a text file, which a reviewer reads.
 */
final class PublicApi {

    private static final Set<String> OF_OBJECT = Set.of("toString", "hashCode", "equals");

    private PublicApi() {}

    /** A type and all nested types that can be seen. */
    static String describe(Class<?> type) {
        List<String> members = new ArrayList<>();
        add(members, type.getDeclaredFields(), PublicApi::isSeen, Field::getName, PublicApi::field);
        add(members, type.getDeclaredConstructors(), PublicApi::isSeen, unused -> "", PublicApi::constructor);
        add(members, type.getDeclaredMethods(), PublicApi::isSeen, Method::getName, PublicApi::method);
        StringBuilder text = new StringBuilder(header(type)).append('\n');
        members.forEach(member -> text.append("    ").append(member).append('\n'));
        Stream.of(type.getDeclaredClasses())
                .filter(nested -> isSeen(nested.getModifiers()))
                .sorted((a, b) -> a.getName().compareTo(b.getName()))
                .forEach(nested -> text.append('\n').append(describe(nested)));
        return text.toString();
    }

    private static <M extends Member> void add(
            List<String> lines, M[] members, Predicate<M> seen, Function<M, String> key, Function<M, String> line) {
        Stream.of(members)
                .filter(member -> seen.test(member) && !isGiven(member))
                .sorted(Comparator.comparing(key).thenComparing(line))
                .map(line)
                .forEach(lines::add);
    }

    static boolean isSeen(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static boolean isSeen(Field field) {
        return isSeen(field.getModifiers()) && !field.isSynthetic();
    }

    private static boolean isSeen(Executable executable) {
        boolean outOfReach = Modifier.isProtected(executable.getModifiers())
                && Modifier.isFinal(executable.getDeclaringClass().getModifiers());
        return isSeen(executable.getModifiers()) && !executable.isSynthetic() && !outOfReach;
    }

    /** What every enum has, and every record by its header. */
    private static boolean isGiven(Member member) {
        Class<?> type = member.getDeclaringClass();
        String name = member.getName();
        if (type.isEnum()) {
            return name.equals("values") || name.equals("valueOf");
        }
        return type.isRecord() && (isCanonical(member) || isAccessor(member) || OF_OBJECT.contains(name));
    }

    private static boolean isCanonical(Member member) {
        return member instanceof Constructor<?> constructor
                && Arrays.equals(
                        constructor.getParameterTypes(),
                        Stream.of(member.getDeclaringClass().getRecordComponents())
                                .map(RecordComponent::getType)
                                .toArray());
    }

    private static boolean isAccessor(Member member) {
        return Stream.of(member.getDeclaringClass().getRecordComponents())
                .anyMatch(component -> component.getAccessor().equals(member));
    }

    private static String header(Class<?> type) {
        StringBuilder text = new StringBuilder(modifiers(type));
        text.append(kind(type)).append(' ').append(name(type)).append(typeParameters(type.getTypeParameters()));
        if (type.isRecord()) {
            text.append(Stream.of(type.getRecordComponents())
                    .map(PublicApi::component)
                    .collect(joining(", ", "(", ")")));
        }
        AnnotatedType parent = type.getAnnotatedSuperclass();
        if (parent != null && parent.getType() != Object.class && !type.isRecord() && !type.isEnum()) {
            text.append(" extends ").append(render(parent));
        }
        if (type.getAnnotatedInterfaces().length > 0) {
            text.append(type.isInterface() ? " extends " : " implements ")
                    .append(Stream.of(type.getAnnotatedInterfaces())
                            .map(PublicApi::render)
                            .sorted()
                            .collect(joining(", ")));
        }
        if (type.isSealed()) {
            text.append(Stream.of(type.getPermittedSubclasses())
                    .map(PublicApi::name)
                    .sorted()
                    .collect(joining(", ", " permits ", "")));
        }
        return text.toString();
    }

    private static String modifiers(Class<?> type) {
        int flags = type.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.ABSTRACT | Modifier.FINAL);
        if (type.isInterface()) {
            flags &= ~Modifier.ABSTRACT;
        }
        if (type.isRecord() || type.isEnum()) {
            flags &= ~Modifier.FINAL;
        }
        return words(flags) + (type.isSealed() && !type.isEnum() ? "sealed " : "");
    }

    private static String kind(Class<?> type) {
        if (type.isRecord()) {
            return "record";
        }
        if (type.isEnum()) {
            return "enum";
        }
        return type.isInterface() ? "interface" : "class";
    }

    private static String component(RecordComponent component) {
        return render(component.getAnnotatedType()) + " " + component.getName();
    }

    private static String field(Field field) {
        if (field.isEnumConstant()) {
            return field.getName();
        }
        return words(field.getModifiers()) + render(field.getAnnotatedType()) + " " + field.getName() + constant(field);
    }

    private static String constant(Field field) {
        boolean isConstant = Modifier.isStatic(field.getModifiers())
                && Modifier.isPublic(field.getModifiers())
                && (field.getType().isPrimitive() || field.getType() == String.class);
        if (!isConstant) {
            return "";
        }
        try {
            return " = " + field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String constructor(Constructor<?> constructor) {
        return words(constructor.getModifiers())
                + generics(constructor)
                + constructor.getDeclaringClass().getSimpleName()
                + parameters(constructor);
    }

    private static String method(Method method) {
        int flags = method.getModifiers() & Modifier.methodModifiers() & ~Modifier.SYNCHRONIZED;
        if (method.getDeclaringClass().isInterface()) {
            flags &= ~(Modifier.ABSTRACT | Modifier.PUBLIC);
        }
        return words(flags)
                + (method.isDefault() ? "default " : "")
                + generics(method)
                + render(method.getAnnotatedReturnType())
                + " "
                + method.getName()
                + parameters(method);
    }

    private static String generics(Executable executable) {
        String parameters = typeParameters(executable.getTypeParameters());
        return parameters.isEmpty() ? "" : parameters + " ";
    }

    private static String parameters(Executable executable) {
        String list = Arrays.stream(executable.getAnnotatedParameterTypes())
                .map(PublicApi::render)
                .collect(joining(", ", "(", ")"));
        String thrown = Arrays.stream(executable.getAnnotatedExceptionTypes())
                .map(PublicApi::render)
                .sorted()
                .collect(joining(", "));
        return thrown.isEmpty() ? list : list + " throws " + thrown;
    }

    private static String typeParameters(TypeVariable<?>[] variables) {
        return variables.length == 0
                ? ""
                : Stream.of(variables).map(PublicApi::typeParameter).collect(joining(", ", "<", ">"));
    }

    private static String typeParameter(TypeVariable<?> variable) {
        String bounds = Stream.of(variable.getAnnotatedBounds())
                .map(PublicApi::render)
                .filter(bound -> !bound.equals("Object"))
                .collect(joining(" & "));
        return bounds.isEmpty() ? variable.getName() : variable.getName() + " extends " + bounds;
    }

    private static String render(AnnotatedType type) {
        String nullable = type.isAnnotationPresent(Nullable.class) ? "@Nullable " : "";
        if (type instanceof AnnotatedArrayType array) {
            return render(array.getAnnotatedGenericComponentType()) + " " + nullable + "[]";
        }
        if (type instanceof AnnotatedParameterizedType parameterized) {
            var raw = (ParameterizedType) parameterized.getType();
            return nullable
                    + name((Class<?>) raw.getRawType())
                    + Stream.of(parameterized.getAnnotatedActualTypeArguments())
                            .map(PublicApi::render)
                            .collect(joining(", ", "<", ">"));
        }
        if (type instanceof AnnotatedWildcardType wildcard) {
            return nullable + wildcard(wildcard);
        }
        if (type instanceof AnnotatedTypeVariable variable) {
            return nullable + variable.getType().getTypeName();
        }
        return nullable + name((Class<?>) type.getType());
    }

    private static String wildcard(AnnotatedWildcardType wildcard) {
        if (wildcard.getAnnotatedLowerBounds().length > 0) {
            return "? super " + render(wildcard.getAnnotatedLowerBounds()[0]);
        }
        String bound = render(wildcard.getAnnotatedUpperBounds()[0]);
        return bound.equals("Object") ? "?" : "? extends " + bound;
    }

    /** As in source code; types of the JDK without their package, and our own without the part that all have. */
    private static String name(Class<?> type) {
        String name = type.getCanonicalName();
        String packageName = type.getPackageName();
        if (type.isPrimitive()) {
            return name;
        }
        return packageName.startsWith("java.")
                ? name.substring(packageName.length() + 1)
                : name.replaceFirst("^io\\.nopanic\\.", "");
    }

    private static String words(int modifiers) {
        String words = Modifier.toString(modifiers & ~(Modifier.TRANSIENT | Modifier.VOLATILE));
        return words.isEmpty() ? "" : words + " ";
    }
}
