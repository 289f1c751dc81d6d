-- Asks over several hosts, for tools/scale.pl.
--
-- SCALE_ASKS names a file with a request a line: key, tab, body, in which @N@
-- is another word each time.  Threads go to the hosts at SCALE_PORTS in turn.
-- With SCALE_CHECK answers are looked at.  At its end it prints a line of JSON:
-- how many requests in how many microseconds, their median, and how many were
-- not answered well.

local ports = {}
local threads = {}

for port in os.getenv("SCALE_PORTS"):gmatch("%d+") do
  ports[#ports + 1] = port
end

function setup(thread)
  thread.addr = wrk.lookup("127.0.0.1", ports[#threads % #ports + 1])[1]
  thread:set("id", #threads)
  threads[#threads + 1] = thread
end

function init()
  math.randomseed(os.time() * 64 + id)
  word, n, bad, said, list = math.random(1, 2 ^ 31), 0, 0, "", {}

  for line in io.lines(os.getenv("SCALE_ASKS")) do
    local key, body = line:match("^(%S+)\t(.*)$")

    list[#list + 1] = { body, body:find("@N@", 1, true), {
      ["Authorization"] = "Bearer " .. key,
      ["Content-Type"] = "application/json" } }
  end
end

function request()
  local ask = list[math.random(#list)]
  local body = ask[1]

  n = n + 1

  if ask[2] then
    body = body:gsub("@N@", word .. "-" .. id .. "-" .. n)
  end

  return wrk.format("POST", "/graphql", ask[3], body)
end

if os.getenv("SCALE_CHECK") then
  function response(status, headers, body)
    if status ~= 200 or body:find('"errors":', 1, true) then
      bad = bad + 1
      said = body
    end
  end
end

function done(summary, latency)
  local e = summary.errors
  local bad = e.connect + e.read + e.write + e.status + e.timeout

  for _, thread in ipairs(threads) do
    bad = bad + thread:get("bad")

    if thread:get("said") ~= "" then
      io.stderr:write(thread:get("said"), "\n")
    end
  end

  io.write(string.format(
    '{"count":%d,"time":%d,"median":%d,"late":%d,"bad":%d}\n',
    summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), bad))
end
