import { portVariable } from './messages.ts'
import type { ServiceSpec } from './service-spec.ts'
import { SERVER_PORTS } from './start-options.ts'

const INTRODUCTION = `npm start                   start everything on this machine; Ctrl-C stops it
npm start -- --fresh        forget the data of earlier runs first
npm start -- --verbose      show what the services log, too

DATABASE_URL, REDIS_SESSION_URL, REDIS_CACHE_URL and EVENT_TRANSPORT use servers of yours;
MELMASTOON_DATA names the folder for data and logs; docs/configuration.md lists the rest.
`

/** The options, and every port with the variable that moves it. */
export function helpText(services: readonly ServiceSpec[]): string {
  const rows = [
    ...Object.entries(SERVER_PORTS).map(([variable, port]) => ({ port, variable })),
    ...services.flatMap(({ name, port }) => [
      { port, variable: portVariable(name) },
      { port: port + 1000, variable: `${portVariable(`${name}-internal`)} (metrics and jobs)` },
    ]),
  ]
  const lines = rows.map(({ port, variable }) => `  ${String(port).padEnd(8)}${variable}`)
  return [INTRODUCTION, 'Ports on 127.0.0.1, and what moves them:', ...lines].join('\n')
}
