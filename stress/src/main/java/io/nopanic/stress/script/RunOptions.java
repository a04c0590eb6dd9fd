package io.nopanic.stress.script;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which seeds are tried, and for how long. */
public final class RunOptions {

    @Option(names = "--seed", paramLabel = "N", description = "Try this seed alone.")
    @Nullable Long seed;

    @Option(
            names = "--first",
            paramLabel = "N",
            defaultValue = "0",
            description = "Begin with this seed. Default: ${DEFAULT-VALUE}.")
    long first;

    @Option(names = "--seeds", paramLabel = "N", description = "Try so many seeds of each kind, however long it takes.")
    @Nullable Long seeds;

    @Option(
            names = "--time",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description = "Try seeds for so long, as in 30s, 10m or 2h.")
    @Nullable Duration time;

    /** How long to run: what was asked for, or else one of these. */
    public Duration time(boolean quick, Duration quickTime, Duration thoroughTime) {
        Duration asked = time;
        return asked != null ? asked : quick ? quickTime : thoroughTime;
    }

    /** Times as people write them. */
    public static final class TimeConverter implements ITypeConverter<Duration> {

        @Override
        public Duration convert(String text) {
            try {
                return Duration.parse("PT" + text);
            } catch (DateTimeParseException notOne) {
                throw new TypeConversionException("'" + text + "' is no time such as 30s, 10m or 2h");
            }
        }
    }
}
