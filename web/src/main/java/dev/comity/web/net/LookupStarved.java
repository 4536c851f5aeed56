package dev.comity.web.net;

import java.net.UnknownHostException;

/** A name could not be looked up because the process may open no more files. */
public final class LookupStarved extends UnknownHostException {
  LookupStarved(String host) {
    super(host);
  }
}
