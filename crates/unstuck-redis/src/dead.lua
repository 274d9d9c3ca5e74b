-- Takes in news of a worker about a call. Returns the failures of the call if it is dead: 8 bytes of time and a name each.
--
-- KEYS: the call, a hash:
--   'how'    how it failed
--   'probed' when it died, or a worker was last let through, in milliseconds
--   8 bytes  a worker, with the time and the name of its last failure
-- ARGV: 'planned', 'failed' or 'worked'; milliseconds that it is kept; workers for which it has to fail; milliseconds between
-- workers that are let through; most workers; worker; how it failed; name.
local key, kind, worker = KEYS[1], ARGV[1], ARGV[6]
if kind == 'worked' then
  redis.call('DEL', key)
  return {}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local needed = tonumber(ARGV[3])
if kind == 'failed' then
  if redis.call('HGET', key, 'how') ~= ARGV[7] then
    redis.call('DEL', key)
    redis.call('HSET', key, 'how', ARGV[7], 'probed', string.format('%.0f', now))
  end
  local size = redis.call('HLEN', key) - 2
  local is_new = redis.call('HEXISTS', key, worker) == 0
  if not is_new or size < tonumber(ARGV[5]) then
    redis.call('HSET', key, worker, struct.pack('>I8', now) .. ARGV[8])
    if is_new and size + 1 == needed then
      redis.call('HSET', key, 'probed', string.format('%.0f', now))
    end
  end
  redis.call('PEXPIRE', key, ARGV[2])
end
local fields = redis.call('HGETALL', key)
if #fields / 2 - 2 < needed then return {} end
local found, probed = {}, 0
for at = 1, #fields, 2 do
  if #fields[at] == 8 then found[#found + 1] = fields[at + 1] end
  if fields[at] == 'probed' then probed = tonumber(fields[at + 1]) end
end
if kind == 'planned' and now - probed >= tonumber(ARGV[4]) then
  redis.call('HSET', key, 'probed', string.format('%.0f', now))
  return {}
end
return found
