package io.nopanic.lab.logs.format;

/** Finds the fields of a line, and then reads them. */
final class SplitParser implements LineParser {

    private final Splitter splitter;
    private final Meaning meaning;
    private final Fields fields = new Fields();

    SplitParser(Splitter splitter, Meaning meaning) {
        this.splitter = splitter;
        this.meaning = meaning;
    }

    @Override
    public Verdict read(byte[] bytes, int from, int to) {
        fields.clear();
        Verdict other = splitter.split(bytes, from, to, fields);
        return other == null ? meaning.read(fields) : other;
    }
}
