import { readFileSync } from 'node:fs'
import { InputData, JSONSchemaInput, JSONSchemaStore, quicktype } from 'quicktype-core'

/**
 * `node generate-python.mjs <openapi.json>` prints classes for every named schema of the document.
 * A program of its own because the generator occupies a core for seconds. It reads schemas, not
 * OpenAPI, so it is given the address of each one within the document.
 */
const [path] = process.argv.slice(2)
const document = JSON.parse(readFileSync(path, 'utf8'))

class DocumentStore extends JSONSchemaStore {
  fetch() {
    return Promise.resolve(document)
  }
}

/** The types of the document as they are: nothing is guessed from names or similarity. */
const AS_DECLARED = {
  combineClasses: false,
  inferMaps: false,
  inferEnums: false,
  inferUuids: false,
  inferDateTimes: false,
  inferIntegerStrings: false,
  inferBooleanStrings: false,
}

const input = new JSONSchemaInput(new DocumentStore())
for (const name of Object.keys(document.components.schemas)) {
  const uris = [`openapi.json#/components/schemas/${name}`]
  await input.addSource({ name, uris, isConverted: true })
}
const inputData = new InputData()
inputData.addInput(input)
const { lines } = await quicktype({ inputData, lang: 'python', ...AS_DECLARED })
process.stdout.write(lines.join('\n'))
