-- ARGV[4] how many. What was taken and not acknowledged comes again first: an answer may have been lost.
local most = tonumber(ARGV[4])
local got = redis.call('ZRANGE', KEYS[2], 0, most - 1, 'WITHSCORES')
if #got == 0 then
  got = redis.call('ZRANGE', KEYS[1], 0, most - 1, 'WITHSCORES')
  for i = 1, #got, 2 do
    redis.call('ZADD', KEYS[2], got[i + 1], got[i])
  end
  if #got > 0 then
    redis.call('ZREMRANGEBYRANK', KEYS[1], 0, #got / 2 - 1)
  end
end
return {'ok', size(), got}
