export { KEY_USES_PROBLEMS, keyUsesSchema, readKeyUses } from './key-uses.ts'
