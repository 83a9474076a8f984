import { portVariable } from './messages.ts'
import type { ServiceSpec } from './service-spec.ts'
import { SERVER_PORTS } from './start-options.ts'

const INTRODUCTION = `npm start                   start everything on this machine; Ctrl-C stops it
npm start -- --fresh        delete the data of earlier runs first
npm start -- --verbose      also show the logs of the services

DATABASE_URL, REDIS_SESSION_URL, REDIS_CACHE_URL and EVENT_TRANSPORT select existing servers;
MELMASTOON_DATA names the folder for data and logs; docs/configuration.md lists the rest.
`

/** The options, and every port with its variable. */
export function helpText(services: readonly ServiceSpec[]): string {
  const rows = [
    ...Object.entries(SERVER_PORTS).map(([variable, port]) => ({ port, variable })),
    ...services.flatMap(({ name, port }) => [
      { port, variable: portVariable(name) },
      { port: port + 1000, variable: `${portVariable(`${name}-internal`)} (metrics and jobs)` },
    ]),
  ]
  const lines = rows.map(({ port, variable }) => `  ${String(port).padEnd(8)}${variable}`)
  return [INTRODUCTION, 'Ports on 127.0.0.1 and their variables:', ...lines].join('\n')
}
