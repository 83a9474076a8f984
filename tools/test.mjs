import { bootstrap } from './bootstrap/bootstrap.mjs'

await bootstrap('test/main.ts', () => console.log('0 passed, 1 failed'))
