package dev.comity.web.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A TLS socket whose answers have their heads handed on by a {@link RawHeadStream}. */
public final class RawHeadTls extends SSLSocket {
  private final SSLSocket socket;
  private @Nullable RawHeadStream answers;

  RawHeadTls(SSLSocket socket) {
    this.socket = socket;
  }

  /** A request is about to be sent: what comes next is the head of its answer. */
  public void asked() {
    if (answers != null) {
      answers.expectHead();
    }
  }

  @Override
  public InputStream getInputStream() throws IOException {
    if (answers == null) {
      answers = new RawHeadStream(socket.getInputStream());
    }
    return answers;
  }

  @Override
  public void bind(SocketAddress local) throws IOException {
    socket.bind(local);
  }

  @Override
  public void connect(SocketAddress endpoint) throws IOException {
    socket.connect(endpoint);
  }

  @Override
  public void connect(SocketAddress endpoint, int timeout) throws IOException {
    socket.connect(endpoint, timeout);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  @Override
  public void shutdownInput() throws IOException {
    socket.shutdownInput();
  }

  @Override
  public void shutdownOutput() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public boolean isConnected() {
    return socket.isConnected();
  }

  @Override
  public boolean isBound() {
    return socket.isBound();
  }

  @Override
  public boolean isClosed() {
    return socket.isClosed();
  }

  @Override
  public boolean isInputShutdown() {
    return socket.isInputShutdown();
  }

  @Override
  public boolean isOutputShutdown() {
    return socket.isOutputShutdown();
  }

  @Override
  public @Nullable SocketChannel getChannel() {
    return socket.getChannel();
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return socket.getOutputStream();
  }

  @Override
  public @Nullable InetAddress getInetAddress() {
    return socket.getInetAddress();
  }

  @Override
  public InetAddress getLocalAddress() {
    return socket.getLocalAddress();
  }

  @Override
  public int getPort() {
    return socket.getPort();
  }

  @Override
  public int getLocalPort() {
    return socket.getLocalPort();
  }

  @Override
  public @Nullable SocketAddress getRemoteSocketAddress() {
    return socket.getRemoteSocketAddress();
  }

  @Override
  public @Nullable SocketAddress getLocalSocketAddress() {
    return socket.getLocalSocketAddress();
  }

  @Override
  public void setSoTimeout(int timeout) throws SocketException {
    socket.setSoTimeout(timeout);
  }

  @Override
  public int getSoTimeout() throws SocketException {
    return socket.getSoTimeout();
  }

  @Override
  public void setTcpNoDelay(boolean on) throws SocketException {
    socket.setTcpNoDelay(on);
  }

  @Override
  public boolean getTcpNoDelay() throws SocketException {
    return socket.getTcpNoDelay();
  }

  @Override
  public void setKeepAlive(boolean on) throws SocketException {
    socket.setKeepAlive(on);
  }

  @Override
  public boolean getKeepAlive() throws SocketException {
    return socket.getKeepAlive();
  }

  @Override
  public void setSoLinger(boolean on, int linger) throws SocketException {
    socket.setSoLinger(on, linger);
  }

  @Override
  public int getSoLinger() throws SocketException {
    return socket.getSoLinger();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return socket.getSupportedCipherSuites();
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return socket.getEnabledCipherSuites();
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {
    socket.setEnabledCipherSuites(suites);
  }

  @Override
  public String[] getSupportedProtocols() {
    return socket.getSupportedProtocols();
  }

  @Override
  public String[] getEnabledProtocols() {
    return socket.getEnabledProtocols();
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {
    socket.setEnabledProtocols(protocols);
  }

  @Override
  public SSLSession getSession() {
    return socket.getSession();
  }

  @Override
  public @Nullable SSLSession getHandshakeSession() {
    return socket.getHandshakeSession();
  }

  @Override
  public void addHandshakeCompletedListener(HandshakeCompletedListener listener) {
    socket.addHandshakeCompletedListener(listener);
  }

  @Override
  public void removeHandshakeCompletedListener(HandshakeCompletedListener listener) {
    socket.removeHandshakeCompletedListener(listener);
  }

  @Override
  public void startHandshake() throws IOException {
    socket.startHandshake();
  }

  @Override
  public void setUseClientMode(boolean mode) {
    socket.setUseClientMode(mode);
  }

  @Override
  public boolean getUseClientMode() {
    return socket.getUseClientMode();
  }

  @Override
  public void setNeedClientAuth(boolean need) {
    socket.setNeedClientAuth(need);
  }

  @Override
  public boolean getNeedClientAuth() {
    return socket.getNeedClientAuth();
  }

  @Override
  public void setWantClientAuth(boolean want) {
    socket.setWantClientAuth(want);
  }

  @Override
  public boolean getWantClientAuth() {
    return socket.getWantClientAuth();
  }

  @Override
  public void setEnableSessionCreation(boolean flag) {
    socket.setEnableSessionCreation(flag);
  }

  @Override
  public boolean getEnableSessionCreation() {
    return socket.getEnableSessionCreation();
  }

  @Override
  public SSLParameters getSSLParameters() {
    return socket.getSSLParameters();
  }

  @Override
  public void setSSLParameters(SSLParameters parameters) {
    socket.setSSLParameters(parameters);
  }

  @Override
  public @Nullable String getApplicationProtocol() {
    return socket.getApplicationProtocol();
  }

  @Override
  public @Nullable String getHandshakeApplicationProtocol() {
    return socket.getHandshakeApplicationProtocol();
  }

  @Override
  public String toString() {
    return socket.toString();
  }
}
