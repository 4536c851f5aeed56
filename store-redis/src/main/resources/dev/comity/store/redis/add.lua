-- ARGV[4] most URLs, ARGV[5] whether those that were added before enter again, then for each URL its hash, its depth and
-- its entry.
-- What was added before is in hashes of about 64 fields, which Redis keeps as compact lists. A level has eight times as
-- many of them as the level below, and a URL is in the level that was the last when it entered.
local seq = tonumber(known[3])
local level = tonumber(known[4] or 0)
local fill = tonumber(known[5] or 0)
local room = tonumber(ARGV[4]) - size()
local new, over = 0, 0
for i = 6, #ARGV, 3 do
  local hash = ARGV[i]
  local a, b, c, d = string.byte(hash, 1, 4)
  local number = ((a * 256 + b) * 256 + c) * 256 + d
  local seen, last = 0, nil
  for one = 0, level do
    last = KEYS[3] .. ':' .. one .. ':' .. number % 8 ^ one
    seen = redis.call('HEXISTS', last, hash)
    if seen == 1 then break end
  end
  if seen == 1 and ARGV[5] == '1' and not redis.call('ZSCORE', KEYS[2], ARGV[i + 2]) then
    seq = seq + 1
    new = new + redis.call('ZADD', KEYS[1], ARGV[i + 1] * 274877906944 + seq, ARGV[i + 2])
  elseif seen == 0 then
    if room <= 0 then
      over = over + 1
    else
      redis.call('HSET', last, hash, '')
      seq = seq + 1
      redis.call('ZADD', KEYS[1], ARGV[i + 1] * 274877906944 + seq, ARGV[i + 2])
      room = room - 1
      new = new + 1
      fill = fill + 1
      if fill >= 64 * 8 ^ level then
        level = level + 1
        fill = 0
      end
    end
  end
end
if seq > tonumber(known[3]) then
  redis.call('HSET', KEYS[3], 'seq', seq, 'level', level, 'fill', fill)
end
return {'ok', string.format('%.0f', seq), size(), new, over}
