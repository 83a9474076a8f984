// Plain JavaScript for Node 20: this runs before any package is installed.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The default ports of the servers by variable. */
export const SERVER_PORTS = {
  MELMASTOON_POSTGRES_PORT: 54_320,
  MELMASTOON_REDIS_SESSION_PORT: 63_790,
  MELMASTOON_REDIS_CACHE_PORT: 63_791,
}

const INTRODUCTION = `npm start                   start everything on this machine; Ctrl-C stops it
npm start -- --fresh        delete the data of earlier runs first
npm start -- --verbose      also show the logs of the services

DATABASE_URL, REDIS_SESSION_URL, REDIS_CACHE_URL and EVENT_TRANSPORT select existing servers;
MELMASTOON_DATA names the folder for data and logs; docs/configuration.md lists the rest.
`

/** `bff-consumer-service` → `MELMASTOON_BFF_CONSUMER_SERVICE_PORT`. */
export function portVariable(name) {
  return `MELMASTOON_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_PORT`
}

/** The options, and every port with its variable. */
export function startHelp(root) {
  const rows = [
    ...Object.entries(SERVER_PORTS).map(([variable, port]) => ({ port, variable })),
    ...readServices(root).flatMap(({ name, port }) => [
      { port, variable: portVariable(name) },
      { port: port + 1000, variable: `${portVariable(`${name}-internal`)} (metrics and jobs)` },
    ]),
  ]
  const lines = rows.map(({ port, variable }) => `  ${String(port).padEnd(8)}${variable}`)
  return [INTRODUCTION, 'Ports on 127.0.0.1 and their variables:', ...lines].join('\n')
}

function readServices(root) {
  const folder = join(root, 'services')
  return readdirSync(folder)
    .map((name) => join(folder, name, 'package.json'))
    .filter((file) => existsSync(file))
    .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).melmastoon?.service ?? [])
}
