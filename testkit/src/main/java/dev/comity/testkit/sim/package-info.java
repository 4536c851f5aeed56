/**
 * A simulated web: servers with limits, windows, moods and outages, asked by the real policy in
 * virtual time.
 *
 * <p>One {@link dev.comity.testkit.sim.Simulation} is an event loop without threads. Each {@link
 * dev.comity.testkit.sim.SimDomain} asks the policy for its turn; a request travels to a {@link
 * dev.comity.testkit.sim.SimServer}, which answers by its own rules and in its own time; the policy
 * decides, and so on. All randomness comes from one seed, so a history can be repeated. {@link
 * dev.comity.testkit.sim.SimTable} runs every kind of server for days of virtual time and prints
 * what the policy got out of it.
 */
@NullMarked
package dev.comity.testkit.sim;

import org.jspecify.annotations.NullMarked;
