package dev.comity.web.net;

/** Which server certificates are trusted. */
public enum Certificates {
  /** Those of an issuer the system trusts, for this very host and at this very time. */
  VERIFIED {
    @Override
    public Tls tls() {
      return Tls.verified();
    }
  },

  /** All. For sites of one's own with certificates of one's own, and only if the user says so. */
  UNVERIFIED {
    @Override
    public Tls tls() {
      return Tls.unverified();
    }
  };

  public abstract Tls tls();
}
