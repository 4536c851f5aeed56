/**
 * Queues of domains in Redis, and lists of seeds that others put there.
 *
 * <p>{@link dev.comity.store.redis.RedisFrontierStore} stands before a store. Links within a domain
 * that is held wait in Redis ({@link dev.comity.store.redis.DomainQueue}); the store has the URLs
 * that are next, in flight or settled. Scripts ({@link dev.comity.store.redis.RedisScripts})
 * compare the token of the claim. {@link dev.comity.store.redis.RedisLink} repeats what failed
 * until Redis is back.
 */
@NullMarked
package dev.comity.store.redis;

import org.jspecify.annotations.NullMarked;
