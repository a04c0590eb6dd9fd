package io.nopanic.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.call.Ending;
import io.nopanic.lab.call.SlowCalls;
import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.Replay;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Survey;
import io.nopanic.lab.report.html.HtmlReport;
import io.nopanic.lab.setup.PolicyParser;
import io.nopanic.lab.setup.PolicySpec;
import io.nopanic.lab.traffic.Arrivals;
import io.nopanic.lab.traffic.Latency;
import io.nopanic.lab.traffic.Mix;
import io.nopanic.lab.traffic.Scenario;
import io.nopanic.lab.tune.TimeAdvice;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class HtmlReportTest {

    private static final String[] POLICIES = {"none", "auto", "r4j", "hystrix", "consecutive:5,10s"};

    private static ReplayResult replay(CallLog log, String... policies) throws Exception {
        List<PolicySpec> specs = new ArrayList<>();
        for (String policy : policies) {
            specs.add(PolicyParser.parse(policy));
        }
        return Replay.run(log, Survey.of(log), specs, done -> {});
    }

    private static HtmlReport.About about(String title) {
        return new HtmlReport.About(title, 1, List.of(), List.of());
    }

    private static String page(CallLog log, String... policies) throws Exception {
        return HtmlReport.of(about("calls"), replay(log, policies), log, done -> {});
    }

    /** A page that is not well-formed XML does not get through here. */
    private static Document parse(String page) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        String withoutDoctype = page.replaceFirst("<!DOCTYPE html>", "");
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(withoutDoctype)));
    }

    private static List<Element> elements(Document page, String name, Predicate<Element> which) {
        NodeList all = page.getElementsByTagName(name);
        return IntStream.range(0, all.getLength())
                .mapToObj(i -> (Element) all.item(i))
                .filter(which)
                .toList();
    }

    private static Element byId(Document page, String name, String id) {
        List<Element> found =
                elements(page, name, element -> element.getAttribute("id").equals(id));
        assertThat(found).as("elements with the id " + id).hasSize(1);
        return found.get(0);
    }

    private static List<Element> within(Element parent, String name, String attribute) {
        NodeList all = parent.getElementsByTagName(name);
        return IntStream.range(0, all.getLength())
                .mapToObj(i -> (Element) all.item(i))
                .filter(element -> element.hasAttribute(attribute))
                .toList();
    }

    private static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }

    @Test
    void everyPictureIsThereAndHasANameAndADescription() throws Exception {
        Document page = parse(page(FewCalls.withOneOutage(400, "db"), POLICIES));

        List<Element> pictures =
                elements(page, "svg", svg -> svg.getAttribute("role").equals("img"));
        assertThat(pictures)
                .extracting(svg -> svg.getAttribute("id"))
                .containsExactly("timeline", "zoom-1", "cost-curves", "window-map", "trade-off", "latency");
        for (Element picture : pictures) {
            for (String id : picture.getAttribute("aria-labelledby").split(" ")) {
                String name = id.endsWith("-t") ? "title" : "desc";
                assertThat(byId(page, name, id).getTextContent()).isNotBlank();
            }
        }
    }

    /** Wherever in the picture of windows they lie. */
    @ParameterizedTest
    @ValueSource(ints = {10, 30, 60, 100, 200, 300, 500, 1000})
    @Timeout(60)
    void policiesThatLieOnTopOfEachOtherAreSetApart(int window) throws Exception {
        String[] alike = IntStream.rangeClosed(1, 8)
                .mapToObj(seconds -> "count:" + window + ",50,5," + seconds + "s")
                .toArray(String[]::new);

        Document page = parse(page(FewCalls.withOneOutage(400, "db"), alike));

        assertThat(byId(page, "svg", "window-map")).isNotNull();
    }

    @Test
    void everyHeadingOfATableSaysWhatItIsFor() throws Exception {
        Document page = parse(page(FewCalls.withOneOutage(400, "db", "cache"), POLICIES));

        assertThat(elements(page, "th", th -> true))
                .isNotEmpty()
                .allMatch(th -> th.getAttribute("scope").matches("row|col"));
    }

    @Test
    void nothingIsLoadedFromElsewhere() throws Exception {
        String page = page(FewCalls.withOneOutage(400, "db"), POLICIES);

        assertThat(page).doesNotContain("http:", "https:", "@import", "src=", "<link", "<img", "<iframe");
        assertThat(Pattern.compile("url\\((?!#)").matcher(page).find()).isFalse();
        assertThat(elements(parse(page), "a", a -> a.hasAttribute("href"))).isEmpty();
    }

    @Test
    void thePatternsThatPicturesAreFilledWithAreInThePage() throws Exception {
        String page = page(FewCalls.withOneOutage(400, "db"), POLICIES);
        Document parsed = parse(page);

        assertThat(Pattern.compile("url\\(#([^)]*)\\)").matcher(page).results().map(match -> match.group(1)))
                .contains("stripes", "points", "hatch")
                .allSatisfy(id -> assertThat(byId(parsed, "pattern", id)).isNotNull());
    }

    @Test
    void namesFromOutsideAreTextAndNothingElse() throws Exception {
        String hostile = "<script>alert('1')</script>&\"\u0000\u202Eevil";
        CallLog log = FewCalls.withOneOutage(400, hostile, "]]>--><!--");
        String page = HtmlReport.of(
                new HtmlReport.About(hostile, 1, List.of(hostile), List.of(hostile)),
                replay(log, "auto", "r4j"),
                log,
                done -> {});
        Document parsed = parse(page);

        assertThat(page).doesNotContain("<script>alert", "\u0000", "\u202E", "<!--");
        assertThat(elements(parsed, "script", script -> true)).hasSize(1);
        String shown = "<script>alert('1')</script>&\"\uFFFD\uFFFDevil";
        assertThat(elements(parsed, "h1", h1 -> true).get(0).getTextContent()).isEqualTo(shown);
        assertThat(within(byId(parsed, "table", "keys"), "tr", "data-key"))
                .extracting(row -> row.getAttribute("data-key"))
                .containsExactlyInAnyOrder(shown, "]]>--><!--");
        assertThat(elements(parsed, "code", code -> true).get(0).getTextContent())
                .isEqualTo(shown);
    }

    @Test
    void everyPolicyIsInTheTableAndTheTimelineWithTheNumbersOfTheResult() throws Exception {
        CallLog log = FewCalls.withOneOutage(400, "db");
        ReplayResult result = replay(log, POLICIES);
        Document page = parse(HtmlReport.of(about("calls"), result, log, done -> {}));

        List<Element> rows = within(byId(page, "table", "what-if"), "tr", "data-policy");
        List<Element> strips = within(byId(page, "svg", "timeline"), "g", "data-policy");
        List<Element> curves = within(byId(page, "svg", "cost-curves"), "g", "data-cost");
        for (List<Element> each : List.of(rows, strips, curves)) {
            assertThat(each).extracting(row -> row.getAttribute("data-policy")).containsExactlyInAnyOrder(POLICIES);
        }
        for (PolicyResult policy : result.policies()) {
            String name = policy.spec().name();
            Element row = named(rows, name);
            assertThat(number(within(row, "td", "data-cost").get(0), "data-cost"))
                    .isEqualTo(policy.total().cost(1));
            assertThat(number(within(row, "td", "data-failures-sent").get(0), "data-failures-sent"))
                    .isEqualTo(policy.total().failuresSent());
            assertThat(number(within(row, "td", "data-false-trips").get(0), "data-false-trips"))
                    .isEqualTo(policy.total().falseTrips());
            assertThat(number(named(strips, name), "data-trips"))
                    .isEqualTo(policy.total().trips());
            assertThat(number(named(curves, name), "data-cost"))
                    .isEqualTo(policy.total().cost(1));
        }
    }

    private static Element named(List<Element> elements, String policy) {
        return elements.stream()
                .filter(element -> element.getAttribute("data-policy").equals(policy))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatTheUserWroteStandsAboveTheDefaultsOfOthersAndTheseByTheirCost() throws Exception {
        CallLog log = FewCalls.withOneOutage(400, "db");
        Document page = parse(page(log, POLICIES));

        List<Element> rows = within(byId(page, "table", "what-if"), "tr", "data-policy");
        assertThat(rows.get(0).getAttribute("data-policy")).isEqualTo("consecutive:5,10s");
        assertThat(rows.get(0).getAttribute("class")).isEqualTo("own");
        assertThat(rows.subList(1, rows.size()))
                .extracting(row -> number(within(row, "td", "data-cost").get(0), "data-cost"))
                .isSorted();
    }

    @Test
    void theBestOfAColumnIsMarkedInWordsThatNeedNoColour() throws Exception {
        Document page = parse(page(FewCalls.withOneOutage(400, "db"), "none", "consecutive:5,10s"));

        Element none = named(within(byId(page, "table", "what-if"), "tr", "data-policy"), "none");
        Element own = named(within(byId(page, "table", "what-if"), "tr", "data-policy"), "consecutive:5,10s");
        assertThat(within(own, "td", "data-failures-sent").get(0).getTextContent())
                .startsWith("\u25CF");
        assertThat(within(none, "td", "data-failures-sent").get(0).getTextContent())
                .doesNotContain("\u25CF");
    }

    @Test
    void withFewIncidentsNobodyIsMarkedAsTheCheapest() throws Exception {
        Document page = parse(page(FewCalls.withOneOutage(400, "db"), "none", "consecutive:5,10s"));

        assertThat(within(byId(page, "table", "what-if"), "td", "data-cost"))
                .isNotEmpty()
                .noneMatch(cell -> cell.getTextContent().contains("\u25CF"));
        assertThat(byId(page, "section", "settings").getTextContent())
                .contains("With fewer than 5 incidents it is chance which was the cheapest.");
    }

    @Test
    void theBandsOfTheTimelineAndTheRowsOfTheTableAreTheIncidents() throws Exception {
        Scenario scenario =
                Mix.STANDARD.scenario(new Scenario.Load(Arrivals.POISSON, 5, Latency.NONE), Duration.ofDays(1), 7);
        List<PolicySpec> specs = List.of(PolicyParser.parse("auto"), PolicyParser.parse("hystrix"));
        ReplayResult result = Replay.run(scenario.calls(), Survey.of(scenario), specs, done -> {});
        Document page = parse(HtmlReport.of(about("standard"), result, scenario.calls(), done -> {}));

        List<LogFacts.IncidentFacts> incidents = result.facts().incidents();
        assertThat(incidents).hasSizeGreaterThan(5);
        assertThat(within(byId(page, "svg", "timeline"), "g", "data-incident")).hasSize(incidents.size());
        List<Element> rows = within(byId(page, "table", "incidents"), "tr", "data-incident");
        assertThat(rows).hasSize(incidents.size());
        for (int i = 0; i < incidents.size(); i++) {
            assertThat(rows.get(i).getAttribute("data-incident")).isEqualTo(String.valueOf(i + 1));
            assertThat(number(rows.get(i), "data-calls"))
                    .isEqualTo(incidents.get(i).calls());
        }
        assertThat(elements(page, "figure", figure -> figure.hasAttribute("data-zoom")))
                .hasSize(6);
    }

    @Test
    void theCheapestPolicyOfEachStretchOfCostsIsTheCheapestThere() throws Exception {
        CallLog log = FewCalls.withOneOutage(400, "db");
        ReplayResult result = replay(log, "none", "r4j", "hystrix");
        Document page = parse(HtmlReport.of(about("calls"), result, log, done -> {}));

        List<Element> stretches = within(byId(page, "svg", "cost-curves"), "g", "data-from");
        double end = number(stretches.get(0), "data-from");
        assertThat(stretches).hasSizeGreaterThan(1);
        for (Element stretch : stretches) {
            assertThat(number(stretch, "data-from")).isEqualTo(end);
            end = number(stretch, "data-to");
            double middle = Math.sqrt(number(stretch, "data-from") * end);
            double least = result.policies().stream()
                    .mapToDouble(policy -> policy.total().cost(middle))
                    .min()
                    .orElseThrow();
            double claimed = result.policies().stream()
                    .filter(policy -> policy.spec().name().equals(stretch.getAttribute("data-policy")))
                    .mapToDouble(policy -> policy.total().cost(middle))
                    .findFirst()
                    .orElseThrow();
            assertThat(claimed).isCloseTo(least, Offset.offset(1e-9 * least));
        }
        assertThat(end).isEqualTo(100);
    }

    @Test
    void theMapOfWindowsOfALongLogTellsHowManyCallsEachNeedsByTheFormula() throws Exception {
        CallLog log = FewCalls.withOneOutage(30_001, "db");
        ReplayResult result = replay(log, "auto");
        Document page = parse(HtmlReport.of(about("calls"), result, log, done -> {}));

        LogFacts.IncidentFacts incident = result.facts().incidents().get(0);
        double bad = incident.severity();
        double healthy = (double) (result.facts().failures() - incident.failures())
                / (result.facts().calls() - incident.calls());
        Element cell = within(byId(page, "svg", "window-map"), "path", "data-window").stream()
                .filter(path -> number(path, "data-window") == 100 && number(path, "data-threshold") == 0.5)
                .findFirst()
                .orElseThrow();
        assertThat(number(cell, "data-delay-calls"))
                .isCloseTo((0.5 - healthy) / (bad - healthy) * 100, Offset.offset(1e-9));
    }

    private static Element cell(Document page, int window, double rate) {
        return within(byId(page, "svg", "window-map"), "path", "data-window").stream()
                .filter(path -> number(path, "data-window") == window && number(path, "data-threshold") == rate)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theMapOfWindowsOfAShortLogTellsWhatEachCostsWithAllElseAsTheUserHasIt() throws Exception {
        CallLog log = FewCalls.withOneOutage(400, "db");
        String[] policies = {"r4j", "count:100,50,100,5s", "count:20,90,20,5s"};
        ReplayResult result = replay(log, policies);
        Document page = parse(HtmlReport.of(about("calls"), result, log, done -> {}));

        assertThat(number(cell(page, 100, 0.5), "data-cost"))
                .isEqualTo(result.policies().get(1).total().cost(1));
        assertThat(number(cell(page, 20, 0.9), "data-cost"))
                .isEqualTo(result.policies().get(2).total().cost(1));
        assertThat(cell(page, 1000, 0.9).getAttribute("class")).isEqualTo("never");
        assertThat(byId(page, "section", "settings").getTextContent())
                .contains(
                        "As replayed: what a count window costs per 10,000 calls of this log",
                        "The cheapest without a false trip: ");
    }

    @Test
    void theMarksOfTheLatenciesAreWhatTuneRecommendsAndWhatPoliciesHave() throws Exception {
        CallLog log = FewCalls.withOneOutage(400, "db");
        ReplayResult result = replay(log, "auto", "auto;slow-after=3s");
        Document page = parse(HtmlReport.of(about("calls"), result, log, done -> {}));

        TimeAdvice advice = new TimeAdvice(result.facts().load().latencies(), Optional.empty(), Optional.empty());
        Map<String, Double> expected = new HashMap<>(Map.of("slow-A", 3e9));
        advice.slowAfter().value().ifPresent(time -> expected.put("slow", (double) time.toNanos()));
        advice.timeout().value().ifPresent(time -> expected.put("timeout", (double) time.toNanos()));
        assertThat(expected).hasSize(3);
        assertThat(advice.hedge(0).value()).isEmpty();
        assertThat(within(byId(page, "svg", "latency"), "g", "data-mark").stream()
                        .collect(Collectors.toMap(
                                mark -> mark.getAttribute("data-mark"), mark -> number(mark, "data-nanos"))))
                .isEqualTo(expected);
    }

    @Test
    void noTimeIsMarkedWhereThereAreTooFewCallsToRecommendOne() throws Exception {
        FewCalls log = new FewCalls("db");
        for (int i = 0; i < 500; i++) {
            log.call(0, 100L * i, 20 + i % 13, Ending.SUCCESS);
        }
        Document page = parse(page(log, "auto"));
        assertThat(within(byId(page, "svg", "latency"), "g", "data-mark")).isEmpty();
    }

    @Test
    void theMapOfWindowsOfManyKeysGoesByTheFormulaToo() throws Exception {
        String[] keys = IntStream.range(0, 101).mapToObj(key -> "k" + key).toArray(String[]::new);
        Document page = parse(page(FewCalls.withOneOutage(200, keys), "auto"));
        assertThat(byId(page, "section", "settings").getTextContent())
                .contains("By formula: after how many calls of an incident a count window opens");
    }

    @Test
    void inALogShorterThanADayWindowsHaveToBeWithoutAFalseTrip() throws Exception {
        String settings = byId(parse(page(FewCalls.withOneOutage(400, "db"), "r4j")), "section", "settings")
                .getTextContent();
        assertThat(settings).contains("The cheapest without a false trip:").doesNotContain("one false trip a day");
    }

    @Test
    void toAWindowOfFailuresSlowCallsAreNotFailures() throws Exception {
        FewCalls log = new FewCalls("db");
        for (int i = 0; i < 3000; i++) {
            log.call(0, 100L * i, i % 10 == 0 ? 600 : 20, i % 100 == 5 ? Ending.FAILURE : Ending.SUCCESS);
        }
        Document page = parse(page(new SlowCalls(log, Duration.ofMillis(500)), "auto"));
        assertThat(byId(page, "section", "settings").getTextContent()).contains("of which 1 % fail in health");
    }

    @Test
    void whoeverWaitsForTheMapOfWindowsIsTold() throws Exception {
        CallLog log = FewCalls.withOneOutage(10_000, "db");
        List<Double> told = new ArrayList<>();
        String page = HtmlReport.of(about("calls"), replay(log, "auto"), log, told::add);
        assertThat(page).contains("As replayed");
        assertThat(told).hasSizeGreaterThan(1).isSorted().allMatch(done -> done > 0 && done <= 1);
    }

    @Test
    void thoseThatCostTheSameStandOutTogetherAndNobodyDoesWhereAllDo() throws Exception {
        FewCalls log = FewCalls.withOneOutage(400, "db");
        Document page = parse(page(log, "none", "count:1000,90,1000,5s", "consecutive:5,10s"));
        assertThat(styles(page)).containsOnlyOnce("line first");
        page = parse(page(log, "none", "consecutive:5,10s", "consecutive:5,10000ms"));
        assertThat(styles(page)).filteredOn("line first"::equals).hasSize(2);
        page = parse(page(log, "none", "count:1000,90,1000,5s"));
        assertThat(styles(page)).isNotEmpty().doesNotContain("line first");
    }

    /** How the curves of the policies are drawn. */
    private static List<String> styles(Document page) {
        return within(byId(page, "svg", "cost-curves"), "g", "data-policy").stream()
                .filter(curve -> curve.getAttribute("class").equals("curve"))
                .map(curve -> ((Element) curve.getElementsByTagName("path").item(0)).getAttribute("class"))
                .toList();
    }

    @Test
    void theSameResultMakesTheSameBytes() throws Exception {
        CallLog log = FewCalls.withOneOutage(400, "db", "cache");

        assertThat(page(log, POLICIES)).isEqualTo(page(log, POLICIES));
    }

    @Test
    void aLogWithoutCallsMakesAPageThatSaysSo() throws Exception {
        Document page = parse(page(new FewCalls("none"), POLICIES));

        assertThat(page.getDocumentElement().getTextContent()).contains("There are no calls in it.");
        assertThat(elements(page, "table", table -> true)).isEmpty();
    }

    @Test
    void logsOfOneCallOrOfFewMakePagesWithoutNumbersThatAreNone() throws Exception {
        CallLog one = new FewCalls("db").call(0, 0, 5, Ending.FAILURE);
        CallLog ignored = new FewCalls("db").call(0, 0, 5, Ending.IGNORED).call(0, 1, 5, Ending.IGNORED);
        CallLog healthy = new FewCalls("db").call(0, 0, 0, Ending.SUCCESS).call(0, 10, 0, Ending.SUCCESS);
        for (CallLog log : List.of(one, ignored, healthy)) {
            Document page = parse(page(log, POLICIES));

            assertThat(page.getDocumentElement().getTextContent())
                    .contains("all within a second", "nothing to draw over time", "all policies cost the same")
                    .doesNotContain("NaN", "Infinity");
            assertThat(elements(page, "svg", svg -> svg.getAttribute("id").equals("timeline")))
                    .isEmpty();
            for (Element path : elements(page, "path", path -> true)) {
                assertThat(path.getAttribute("d")).doesNotContain("N", "I", "E");
            }
        }
    }

    @Test
    void aLongLogWithManyKeysStaysSmall() throws Exception {
        String[] keys = IntStream.range(0, 300).mapToObj(i -> "shard-" + i).toArray(String[]::new);
        String page = page(FewCalls.withOneOutage(300, keys), POLICIES);

        assertThat(within(byId(parse(page), "table", "keys"), "tr", "data-key")).hasSize(20);
        assertThat(page.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(400_000);
    }
}
