package io.nopanic.cli.options;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a {@link Share}. */
public final class ShareConverter implements ITypeConverter<Share> {

    @Override
    public Share convert(String text) {
        try {
            return Share.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
