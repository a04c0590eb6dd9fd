package io.nopanic.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.call.Ending;
import io.nopanic.lab.replay.HandMadeLog;
import io.nopanic.lab.report.html.HtmlReport;
import io.nopanic.lab.report.html.TuneReport;
import io.nopanic.lab.setup.PolicyParser;
import io.nopanic.lab.tune.Candidate;
import io.nopanic.lab.tune.KeyTuning;
import io.nopanic.lab.tune.Snippet;
import io.nopanic.lab.tune.Tuner;
import io.nopanic.lab.tune.Tuning;
import io.nopanic.lab.tune.Wishes;
import java.io.StringReader;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class TuneReportTest {

    /** A call per second to each key, and every ten minutes an outage of the first. One call in 50 takes ten times as long. */
    private static HandMadeLog outages(int count, String... keys) {
        HandMadeLog log = new HandMadeLog(keys);
        SplittableRandom random = new SplittableRandom(5);
        for (int second = 0; second < count * 600; second++) {
            boolean down = second % 600 >= 300 && second % 600 < 340;
            for (int key = 0; key < keys.length; key++) {
                long took = random.nextInt(50) == 0 ? 300 + random.nextInt(50) : 30 + random.nextInt(10);
                log.call(second * 1000L + key, took, down && key == 0 ? Ending.FAILURE : Ending.SUCCESS, key);
            }
        }
        return log;
    }

    private static Tuning tune(CallLog log) throws InterruptedException {
        Wishes wishes = new Wishes(
                3, Optional.of(PolicyParser.parseLine("time:30s,50,20,30s")), OptionalDouble.empty(), Optional.empty());
        return Tuner.run(log, wishes, done -> {});
    }

    private static String page(Tuning tuning) {
        return TuneReport.of(new HtmlReport.About("a <log>", 3, List.of("read & found"), List.of("<what>")), tuning);
    }

    /** A page that is not well-formed XML does not get through here. */
    private static Document parse(String page) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(page.replaceFirst("<!DOCTYPE html>", ""))));
    }

    private static List<Element> all(Document page, String name, Predicate<Element> which) {
        NodeList found = page.getElementsByTagName(name);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .filter(which)
                .toList();
    }

    private static Element one(Document page, String name, String attribute, String value) {
        List<Element> found =
                all(page, name, element -> element.getAttribute(attribute).equals(value));
        assertThat(found).as(name + " with " + attribute + " " + value).hasSize(1);
        return found.get(0);
    }

    @Test
    void thePageBeginsWithWhatToSetInOneSentence() throws Exception {
        Tuning tuning = tune(outages(6, "db"));
        Document page = parse(page(tuning));
        Element verdict = one(page, "p", "class", "verdict");
        assertThat(verdict.getTextContent())
                .startsWith("Set a breaker with "
                        + String.join(", ", Snippet.properties(tuning.keys().get(0)))
                        + ": over 6 incidents it would have cost ")
                .contains(" where none would have cost ", " and yours ")
                .endsWith(".");
        int heading = page.getDocumentElement().getTextContent().indexOf("Recommendation");
        assertThat(page.getDocumentElement().getTextContent().indexOf(verdict.getTextContent()))
                .isEqualTo(heading + "Recommendation".length());
    }

    @Test
    void theCandidatesStandBelowEachOtherAndOneIsRecommended() throws Exception {
        Tuning tuning = tune(outages(6, "db"));
        KeyTuning key = tuning.keys().get(0);
        Document page = parse(page(tuning));
        List<Element> rows = all(page, "tr", row -> row.hasAttribute("data-policy"));

        assertThat(rows)
                .extracting(row -> row.getAttribute("data-policy"))
                .contains("none", "time:30s,50,20,30s", key.breaker().spec().name());
        for (Element row : rows) {
            Candidate candidate = key.candidates().stream()
                    .filter(each -> each.name().equals(row.getAttribute("data-policy")))
                    .findFirst()
                    .orElseThrow();
            Element cost = (Element) row.getElementsByTagName("td").item(0);
            assertThat(Double.parseDouble(cost.getAttribute("data-incident-cost")))
                    .isEqualTo(candidate.result().total().incidentCost(3));
            Element all = (Element) row.getElementsByTagName("td").item(1);
            assertThat(Double.parseDouble(all.getAttribute("data-cost")))
                    .isEqualTo(candidate.result().total().cost(3));
            assertThat(all.getElementsByTagName("small").item(0).getTextContent())
                    .contains(" to ");
        }
        assertThat(rows)
                .filteredOn(row -> row.getTextContent().contains("recommended: the simplest within one standard error"))
                .singleElement()
                .extracting(row -> row.getAttribute("data-policy"))
                .isEqualTo(key.breaker().spec().name());
        assertThat(all(page, "tr", row -> row.getTextContent().contains("yours")))
                .isNotEmpty();
    }

    @Test
    void theMarksAmongTheLatenciesAreWhatIsRecommended() throws Exception {
        Tuning tuning = tune(outages(6, "db"));
        KeyTuning key = tuning.keys().get(0);
        Document page = parse(page(tuning));

        assertThat(key.hedge().value()).isPresent();
        assertThat(nanos(page, "hedge"))
                .isEqualTo(key.hedge().value().orElseThrow().toNanos());
        assertThat(nanos(page, "slow"))
                .isEqualTo(key.slowAfter().value().orElseThrow().toNanos());
        assertThat(nanos(page, "timeout"))
                .isEqualTo(key.timeout().value().orElseThrow().toNanos());
    }

    private static long nanos(Document page, String mark) {
        return Long.parseLong(one(page, "g", "data-mark", mark).getAttribute("data-nanos"));
    }

    @Test
    void whatIsPastedIsTheSnippetToTheLetter() throws Exception {
        Tuning tuning = tune(outages(6, "db"));
        KeyTuning key = tuning.keys().get(0);
        Document page = parse(page(tuning));
        assertThat(one(page, "code", "id", "java-1").getTextContent()).isEqualTo(String.join("\n", Snippet.java(key)));
        assertThat(one(page, "code", "id", "properties-1").getTextContent())
                .isEqualTo(String.join("\n", Snippet.properties(key)));
    }

    @Test
    void thePageLoadsNothingAndIsTheSameForTheSameLog() throws Exception {
        String page = page(tune(outages(6, "db")));
        assertThat(page).doesNotContain("http:", "https:", "@import", "src=", "<link", "<img", "<iframe");
        assertThat(page).isEqualTo(page(tune(outages(6, "db"))));
        assertThat(page).contains("a &lt;log&gt;", "read &amp; found", "&lt;what&gt;");
    }

    @Test
    void eachKeyHasItsOwnPartWhateverItIsCalled() throws Exception {
        Tuning tuning = tune(outages(6, "db", "<script>\"&'", "mail"));
        Document page = parse(page(tuning));
        List<String> ids = all(page, "*", element -> element.hasAttribute("id")).stream()
                .map(element -> element.getAttribute("id"))
                .toList();
        assertThat(ids).doesNotHaveDuplicates().contains("key-1", "key-2", "key-3", "keys", "latency-1", "latency-2");
        assertThat(all(page, "a", link -> true))
                .extracting(link -> link.getAttribute("href"))
                .containsExactly("#key-1", "#key-2", "#key-3");
        assertThat(all(page, "h2", heading -> true))
                .extracting(Element::getTextContent)
                .contains("db", "<script>\"&'", "mail");
    }

    @Test
    void withFewIncidentsNothingIsCalledTheBestAndFormulasStandBeside() throws Exception {
        Document page = parse(page(tune(outages(3, "db"))));
        assertThat(one(page, "p", "class", "verdict").getTextContent())
                .contains("with 3 incidents in this log it is chance which was the cheapest");
        assertThat(page.getDocumentElement().getTextContent())
                .doesNotContain("within one standard error", "judged unseen");
        assertThat(one(page, "table", "id", "expected-1").getTextContent()).contains("time until a false trip");
    }

    @Test
    void withoutDurationsThereIsNoPictureOfThem() throws Exception {
        Document page = parse(page(tune(outages(6, "db").withoutDurations())));
        assertThat(all(page, "svg", svg -> svg.getAttribute("id").startsWith("latency")))
                .isEmpty();
        assertThat(page.getDocumentElement().getTextContent())
                .contains("There is no picture of latencies: the log does not tell how long calls took.");
    }
}
