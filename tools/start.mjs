import { bootstrap } from './bootstrap/bootstrap.mjs'

await bootstrap({ name: 'start', program: 'tools/start/main.ts', installs: true })
