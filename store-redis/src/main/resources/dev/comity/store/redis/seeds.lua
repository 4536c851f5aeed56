-- Moves seeds to the pending list of one worker; answers all that are pending there.
-- KEYS seeds, workers. ARGV how many, worker, what pending lists begin with, milliseconds until a worker is given up.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[2], ARGV[2], now)
local own = ARGV[3] .. ARGV[2]
local workers = redis.call('HGETALL', KEYS[2])
for i = 1, #workers, 2 do
  if workers[i] ~= ARGV[2] and now - tonumber(workers[i + 1]) > tonumber(ARGV[4]) then
    for _, one in ipairs(redis.call('LRANGE', ARGV[3] .. workers[i], 0, -1)) do
      redis.call('RPUSH', own, one)
    end
    redis.call('DEL', ARGV[3] .. workers[i])
    redis.call('HDEL', KEYS[2], workers[i])
  end
end
local room = tonumber(ARGV[1]) - redis.call('LLEN', own)
local kind = redis.call('TYPE', KEYS[1]).ok
while room > 0 do
  local one
  if kind == 'zset' then
    one = redis.call('ZPOPMAX', KEYS[1])[1]
  elseif kind == 'set' then
    one = redis.call('SPOP', KEYS[1])
  elseif kind == 'list' then
    one = redis.call('LPOP', KEYS[1])
  elseif kind ~= 'none' then
    return {kind}
  end
  if not one then break end
  redis.call('RPUSH', own, one)
  room = room - 1
end
local pending = redis.call('LRANGE', own, 0, ARGV[1] - 1)
if #pending == 0 then
  redis.call('HDEL', KEYS[2], ARGV[2])
end
return {'ok', pending}
