import { printStructure } from './structure/print-structure.ts'
import { readModules } from './structure/read-modules.ts'

const root = new URL('../', import.meta.url).pathname
console.log(printStructure(await readModules(root)))
