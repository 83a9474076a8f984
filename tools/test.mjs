import { bootstrap } from './bootstrap/bootstrap.mjs'

const name = process.argv.includes('--faults') ? 'test:faults' : 'test'
const command = { name, program: 'tools/test/main.ts', installs: true }
await bootstrap(command, () => console.log('0 passed, 1 failed'))
