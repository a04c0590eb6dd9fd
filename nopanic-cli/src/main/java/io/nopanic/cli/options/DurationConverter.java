package io.nopanic.cli.options;

import io.nopanic.lab.setup.Durations;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a duration, such as 100ms or 1.5s. */
public final class DurationConverter implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
        try {
            return Durations.parse("the duration", text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'" + text + "' is not " + Durations.ALLOWED);
        }
    }
}
