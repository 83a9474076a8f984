import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'

/** `node validate-document.mjs <openapi.json>`: against the schema of its version of OpenAPI. */
const [path] = process.argv.slice(2)
const { valid, errors } = await new Validator().validate(JSON.parse(readFileSync(path, 'utf8')))
if (!valid) {
  console.error(JSON.stringify(errors, null, 2))
  process.exitCode = 1
}
