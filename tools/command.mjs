import { bootstrap } from './bootstrap/bootstrap.mjs'

/** `node tools/command.mjs <npm script> <program> …`: the commands that install nothing. */
const [name, program] = process.argv.splice(2, 2)
await bootstrap({ name, program, installs: false })
