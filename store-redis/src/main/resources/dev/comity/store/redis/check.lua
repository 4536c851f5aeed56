-- Begins the scripts of a holder. KEYS queue, taken, meta. ARGV token, epoch, seq that it has seen.
local known = redis.call('HMGET', KEYS[3], 'token', 'epoch', 'seq', 'level', 'fill')
if known[1] and tonumber(known[1]) > tonumber(ARGV[1]) then
  return {'stale'}
end
if known[1] ~= ARGV[1] or known[2] ~= ARGV[2] or tonumber(known[3]) < tonumber(ARGV[3]) then
  return {'lost'}
end
local function size()
  return redis.call('ZCARD', KEYS[1]) + redis.call('ZCARD', KEYS[2])
end
