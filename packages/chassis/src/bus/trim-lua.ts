/**
 * Functions for scripts. `acknowledgedBelow(stream, groups)`: the id below which every group has
 * acknowledged everything, or nil for a stream without groups. All entries below the smallest
 * pending one of a group are done; without pending ones, all up to the last delivered.
 */
export const ACKNOWLEDGED_LUA = `
local function idParts(id)
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(seq)
end
local function isBelow(a, b)
  local aMs, aSeq = idParts(a)
  local bMs, bSeq = idParts(b)
  if aMs ~= bMs then return aMs < bMs end
  return aSeq < bSeq
end
local function groupsOf(stream)
  local reply = redis.pcall('XINFO', 'GROUPS', stream)
  local groups = {}
  if reply.err then return groups end
  for _, row in ipairs(reply) do
    local group = {}
    for i = 1, #row, 2 do group[row[i]] = row[i + 1] end
    groups[#groups + 1] = group
  end
  return groups
end
local function acknowledgedBelow(stream, groups)
  local lowest
  for _, group in ipairs(groups) do
    local bound
    if group.pending > 0 then
      bound = redis.call('XPENDING', stream, group.name)[2]
    else
      local ms, seq = string.match(group['last-delivered-id'], '^(%d+)-(%d+)$')
      bound = ms .. '-' .. string.format('%.0f', tonumber(seq) + 1)
    end
    if not lowest or isBelow(bound, lowest) then lowest = bound end
  end
  return lowest
end
local function trimAcknowledged(stream, groups)
  local bound = acknowledgedBelow(stream, groups)
  if not bound then return 0 end
  return redis.call('XTRIM', stream, 'MINID', '~', bound, 'LIMIT', 0)
end
`
