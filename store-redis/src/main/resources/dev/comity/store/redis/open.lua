-- KEYS queue, taken, meta. ARGV token, fresh epoch, epoch expected or '', seq expected, size expected.
local known = redis.call('HMGET', KEYS[3], 'token', 'epoch', 'seq')
local token = tonumber(ARGV[1])
if known[1] and tonumber(known[1]) > token then
  return {'stale'}
end
local taken = redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES')
for i = 1, #taken, 2 do
  redis.call('ZADD', KEYS[1], taken[i + 1], taken[i])
end
redis.call('DEL', KEYS[2])
local size = redis.call('ZCARD', KEYS[1])
local same = known[1] and (ARGV[3] == '' or known[2] == ARGV[3] and tonumber(known[3]) >= tonumber(ARGV[4]))
if same then
  redis.call('HSET', KEYS[3], 'token', ARGV[1])
  return {'ok', known[2], known[3], size}
end
redis.call('HSET', KEYS[3], 'token', ARGV[1], 'epoch', ARGV[2], 'seq', 0)
if tonumber(ARGV[5]) > 0 then
  return {'lost', ARGV[2], '0', size}
end
return {'ok', ARGV[2], '0', size}
