-- Removes the calls of both windows. Writers stay. KEYS as in apply.lua.
for at = 1, 2 do
  for _, field in ipairs(redis.call('HKEYS', KEYS[at])) do
    if #field == 16 then redis.call('HDEL', KEYS[at], field) end
  end
end
return redis.status_reply('OK')
