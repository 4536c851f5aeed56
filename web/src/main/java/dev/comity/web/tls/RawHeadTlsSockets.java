package dev.comity.web.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Lays TLS over connections that are there. */
public final class RawHeadTlsSockets extends SSLSocketFactory {
  private final SSLSocketFactory sockets;

  public RawHeadTlsSockets(SSLSocketFactory sockets) {
    this.sockets = sockets;
  }

  @Override
  public Socket createSocket(Socket raw, String host, int port, boolean closing)
      throws IOException {
    return new RawHeadTls((SSLSocket) sockets.createSocket(raw, host, port, closing));
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return sockets.getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return sockets.getSupportedCipherSuites();
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw notByItself();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
    throw notByItself();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw notByItself();
  }

  @Override
  public Socket createSocket(InetAddress address, int port, InetAddress local, int localPort) {
    throw notByItself();
  }

  private static UnsupportedOperationException notByItself() {
    return new UnsupportedOperationException("TLS is laid over a connection that is there");
  }
}
