-- ARGV[4]... entries that the store has now; those that remain return to the queue.
for i = 4, #ARGV do
  redis.call('ZREM', KEYS[2], ARGV[i])
end
local left = redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES')
for i = 1, #left, 2 do
  redis.call('ZADD', KEYS[1], left[i + 1], left[i])
end
redis.call('DEL', KEYS[2])
return {'ok', size()}
