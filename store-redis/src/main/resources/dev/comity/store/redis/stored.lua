-- The store has the first pending seeds of a worker. KEYS seeds, workers, refused.
-- ARGV how many, worker, what pending lists begin with, most refused ones, then those that were refused.
redis.call('LTRIM', ARGV[3] .. ARGV[2], ARGV[1], -1)
for i = 5, #ARGV do
  redis.call('RPUSH', KEYS[3], ARGV[i])
end
redis.call('LTRIM', KEYS[3], -ARGV[4], -1)
if redis.call('LLEN', ARGV[3] .. ARGV[2]) == 0 then
  redis.call('HDEL', KEYS[2], ARGV[2])
end
return {'ok'}
