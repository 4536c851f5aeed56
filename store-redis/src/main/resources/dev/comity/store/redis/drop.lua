-- Forgets a queue. KEYS queue, taken, meta. ARGV token.
local known = redis.call('HMGET', KEYS[3], 'token', 'level')
if known[1] and tonumber(known[1]) > tonumber(ARGV[1]) then
  return {'stale'}
end
for one = 0, tonumber(known[2] or 0) do
  for bucket = 0, 8 ^ one - 1 do
    redis.call('UNLINK', KEYS[3] .. ':' .. one .. ':' .. bucket)
  end
end
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
return {'ok'}
