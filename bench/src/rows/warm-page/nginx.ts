import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  dataRoot,
  findInstalledTool,
  findTool,
  type Instance,
  MachineError,
  startProgram,
} from '@melmastoon/one-machine'
import { moveToCore, SERVER_CORE } from '../../harness/cores.ts'
import { sendOne } from '../../harness/http-load.ts'
import type { BenchWorld } from '../../harness/row.ts'
import { NotHere } from '../../harness/run-part.ts'

/** One process that serves `origin` from its cache; no logs, no compression of its own. */
export async function startNginx(world: BenchWorld, origin: string): Promise<Instance> {
  const isHere = findInstalledTool('nginx') ?? existsSync(join(dataRoot(), 'tools', 'nginx'))
  if (world.short && !isHere) throw new NotHere('nginx is not here; the full run fetches it')
  try {
    const tool = await findTool('nginx', { packages: ['nginx'] })
    const server = await startProgram({
      name: 'nginx',
      tool,
      dataDir: world.folder('nginx'),
      stopSignal: 'SIGTERM',
      args: (port, folder) => writeSettings(folder, port, origin),
      isReady: (port) => isHealthy(`http://127.0.0.1:${port}/health`),
      url: (port) => `http://127.0.0.1:${port}`,
    })
    world.adopt(server)
    await moveToCore(SERVER_CORE, server.pid)
    return server
  } catch (error) {
    if (error instanceof MachineError) throw new NotHere(error.message)
    throw error
  }
}

function writeSettings(folder: string, port: number, origin: string): string[] {
  const file = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n  ')
  writeFileSync(
    file,
    `daemon off;
master_process off;
worker_processes 1;
error_log stderr error;
pid ${join(folder, 'nginx.pid')};
events { worker_connections 1024; }
http {
  ${paths}
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  client_body_buffer_size 64k;
  proxy_cache_path ${join(folder, 'cache')} keys_zone=pages:10m max_size=64m inactive=60m;
  server {
    listen 127.0.0.1:${port};
    location = /health { return 204; }
    location / {
      proxy_pass ${origin};
      proxy_set_header If-None-Match "";
      proxy_cache pages;
      proxy_cache_methods POST;
      proxy_cache_key $request_uri$request_body;
      proxy_cache_valid 200 60m;
      proxy_ignore_headers Cache-Control Vary Set-Cookie;
    }
  }
}
`,
  )
  return ['-e', 'stderr', '-p', folder, '-c', file]
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    await sendOne({ url, headers: {} })
    return true
  } catch {
    return false
  }
}
