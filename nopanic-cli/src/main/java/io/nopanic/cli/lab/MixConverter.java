package io.nopanic.cli.lab;

import io.nopanic.lab.setup.Nearest;
import io.nopanic.lab.traffic.Mix;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A mix by its name. */
final class MixConverter implements ITypeConverter<Mix> {

    @Override
    public Mix convert(String text) {
        List<String> names = Arrays.stream(Mix.values()).map(Mix::toString).toList();
        return Arrays.stream(Mix.values())
                .filter(mix -> mix.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "'" + text + "' is none of " + String.join(", ", names) + Nearest.hint(text, names)));
    }
}
