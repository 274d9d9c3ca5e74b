-- Returns the calls of both windows, each with its counts. KEYS and ARGV[1] as in apply.lua.
local time = redis.call('TIME')
local window = math.floor((time[1] * 1000 + math.floor(time[2] / 1000)) / ARGV[1])
local found = {}
for ago = 0, 1 do
  local key = KEYS[(window - ago) % 2 + 1]
  local name, number = redis.call('HGET', key, 'w'), string.format('%.0f', window - ago)
  if name == number or name == number .. '+' then
    local fields = redis.call('HGETALL', key)
    for at = 1, #fields, 2 do
      if #fields[at] == 16 then
        found[#found + 1] = fields[at]
        found[#found + 1] = fields[at + 1]
      end
    end
  end
end
return found
