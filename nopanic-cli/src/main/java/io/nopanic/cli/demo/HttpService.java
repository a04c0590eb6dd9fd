package io.nopanic.cli.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.nopanic.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A real dependency: an HTTP server on a free port of the loopback interface that follows an {@link Outage}, and a client of it. Server and
 * client share nothing but the connection.
 */
final class HttpService implements Dependency, AutoCloseable {

    private static final int OK = 200;
    private static final int INTERNAL_SERVER_ERROR = 500;
    private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(10);
    private static final String RATES = "/rates";
    private static final String WARM_UP = "/warm-up";
    private static final int WARM_UP_CALLS = 20;

    private final Time time;
    private final HttpServer server;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(GIVE_UP_AFTER)
            .build();
    private volatile Outage outage = new Outage();

    private HttpService(Time time, HttpServer server) {
        this.time = time;
        this.server = server;
    }

    /**
     * Starts the server and makes a few calls to another path of it, so that no call of the demonstration pays for loading classes and connecting.
     */
    static HttpService start(Time time) throws IOException, InterruptedException {
        // The server writes the head and the body of an answer one by one; without this the body waits until the head
        // is acknowledged, 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        HttpService service = new HttpService(time, server);
        server.createContext(RATES, service::answer);
        server.createContext(WARM_UP, exchange -> respond(exchange, OK, "ready"));
        server.start();
        for (int i = 0; i < WARM_UP_CALLS; i++) {
            service.get(WARM_UP);
        }
        return service;
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void suffer(Outage next) {
        outage = next;
    }

    @Override
    public Answer fetch() throws IOException, InterruptedException {
        return get(RATES);
    }

    private Answer get(String path) throws IOException, InterruptedException {
        InetSocketAddress address = server.getAddress();
        URI uri = URI.create("http://" + literal(address) + ":" + address.getPort() + path);
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(GIVE_UP_AFTER).build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != OK) {
            throw new ServerErrorException(response.statusCode());
        }
        return new Answer(response.body(), false);
    }

    /** IPv6 addresses stand in brackets. */
    private static String literal(InetSocketAddress address) {
        String literal = address.getAddress().getHostAddress();
        return literal.indexOf(':') < 0 ? literal : "[" + literal + "]";
    }

    private void answer(HttpExchange exchange) throws IOException {
        long arrivedNanos = time.nanos();
        Outage.Step step = outage.next();
        try {
            Clock.awaitNanos(time, arrivedNanos + step.afterNanos());
        } catch (InterruptedException e) {
            throw new IOException("the server is stopping", e);
        }
        if (step.fails()) {
            respond(exchange, INTERNAL_SERVER_ERROR, "out of order");
        } else {
            respond(exchange, OK, "rates of right now");
        }
    }

    private static void respond(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(status, body.length);
        try (var response = exchange.getResponseBody()) {
            response.write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
