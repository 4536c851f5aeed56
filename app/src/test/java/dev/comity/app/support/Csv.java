package dev.comity.app.support;

import java.util.ArrayList;
import java.util.List;

/** Reads CSV by the letter of RFC 4180, and fails where a text is none. */
public final class Csv {
  private final String text;
  private int at;

  private Csv(String text) {
    this.text = text;
  }

  public static List<List<String>> read(String text) {
    Csv csv = new Csv(text);
    List<List<String>> rows = new ArrayList<>();
    while (csv.at < text.length()) {
      rows.add(csv.row());
    }
    return rows;
  }

  private List<String> row() {
    List<String> cells = new ArrayList<>();
    while (true) {
      cells.add(text.charAt(at) == '"' ? quoted() : plain());
      if (text.startsWith("\r\n", at)) {
        at += 2;
        return cells;
      }
      if (text.charAt(at++) != ',') {
        throw new AssertionError("neither comma nor line end before " + at);
      }
    }
  }

  private String quoted() {
    StringBuilder cell = new StringBuilder();
    at++;
    while (true) {
      char unit = text.charAt(at++);
      if (unit != '"') {
        cell.append(unit);
      } else if (text.charAt(at) == '"') {
        cell.append('"');
        at++;
      } else {
        return cell.toString();
      }
    }
  }

  private String plain() {
    int start = at;
    while (",\r\n\"".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(start, at);
  }
}
