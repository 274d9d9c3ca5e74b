-- Applies the entries of a batch that were not applied before. Returns the counts of the call of the last entry.
--
-- KEYS: two windows, by turns. Each is a hash:
--   'w'      number of its window, and '+' if a window before it is to be read as well
--   8 bytes  a writer, with the number of its last entry
--   16 bytes a call, with 12 bytes for each worker: the worker, and how often it made the call
-- ARGV: milliseconds of a window, most fields of a window, writer, entries of 36 bytes.
--
-- It runs for every call of every agent. A window that is over never changes, so a swarm without one reads a hash less.
local run, sub, unpack_number, pack_number = redis.call, string.sub, struct.unpack, struct.pack
local time = run('TIME')
local window = math.floor((time[1] * 1000 + math.floor(time[2] / 1000)) / ARGV[1])
local at = window % 2
local present, last = KEYS[at + 1], KEYS[2 - at]
local writer, entries = ARGV[3], ARGV[4]
local asked = sub(entries, -28, -13)

local name = string.format('%.0f', window)
local known, before = run('HMGET', present, 'w', writer, asked), {}
local is_new = known[1] ~= name and known[1] ~= name .. '+'
if is_new or known[1] ~= name then
  before = run('HMGET', last, 'w', writer, asked)
  local mark = string.format('%.0f', window - 1)
  if before[1] ~= mark and before[1] ~= mark .. '+' then before = {} end
end
if is_new then
  if known[1] then run('DEL', present) end
  known = {}
end

local applied = 0
if known[2] then applied = unpack_number('>I8', known[2]) end
if before[2] then applied = math.max(applied, (unpack_number('>I8', before[2]))) end

-- Most batches have one entry, whose call was read with the writer.
local records, changed, added, number = { [asked] = known[3] or '' }, {}, 0, applied
for from = 1, #entries, 36 do
  local n, call, worker, calls = unpack_number('>I8c16c8I4', entries, from)
  if n > applied then
    local record = records[call]
    if not record then record = not is_new and run('HGET', present, call) or '' end
    if record == '' then added = added + 1 end
    if not changed[call] then
      changed[call] = true
      changed[#changed + 1] = call
    end
    local place = string.find(record, worker, 1, true)
    while place and place % 12 ~= 1 do place = string.find(record, worker, place + 1, true) end
    if not place and #record >= 768 then place = #record - 11 end
    if place then
      local sum = math.min(unpack_number('>I4', record, place + 8) + calls, 4294967295)
      records[call] = sub(record, 1, place + 7) .. pack_number('>I4', sum) .. sub(record, place + 12)
    else
      records[call] = record .. worker .. pack_number('>I4', calls)
    end
    number = n
  end
end

if number > applied then
  if not known[2] then added = added + 1 end
  if added > 0 then
    local size = is_new and 0 or run('HLEN', present) - 1
    if size + added > tonumber(ARGV[2]) then return redis.error_reply('FULL swarm') end
  end
  if is_new or #changed > 1 then
    local fields = { writer, pack_number('>I8', number) }
    if is_new then
      fields[3], fields[4] = 'w', before[1] and name .. '+' or name
    end
    for _, call in ipairs(changed) do
      fields[#fields + 1] = call
      fields[#fields + 1] = records[call]
    end
    run('HSET', present, unpack(fields))
    if is_new then run('PEXPIREAT', present, string.format('%.0f', (window + 2) * ARGV[1])) end
  else
    run('HSET', present, writer, pack_number('>I8', number), changed[1], records[changed[1]])
  end
end
return records[asked] .. (before[3] or '')
