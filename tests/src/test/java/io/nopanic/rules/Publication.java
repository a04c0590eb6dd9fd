package io.nopanic.rules;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** What is published, as the poms say it. */
final class Publication {

    private Publication() {}

    /** The artifacts that the BOM lists. */
    static List<String> libraries() {
        return texts(Repository.path("nopanic-bom/pom.xml"), "dependency", "artifactId");
    }

    static List<String> texts(Path pom, String parent, String name) {
        List<String> texts = new ArrayList<>();
        var nodes = parse(pom).getElementsByTagName(name);
        for (int i = 0; i < nodes.getLength(); i++) {
            Node node = nodes.item(i);
            if (node.getParentNode() instanceof Element element && element.getTagName().equals(parent)) {
                texts.add(node.getTextContent().trim());
            }
        }
        return List.copyOf(texts);
    }

    private static Document parse(Path pom) {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
        } catch (Exception e) {
            throw new IllegalStateException("cannot read " + pom, e);
        }
    }
}
