import { type Breaking, type Documents, diffSchema, type Json } from './diff-schema.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const

/** Every change of the document that could break a client written against the old one (P14). */
export function diffOpenApi(before: Json, after: Json): Breaking[] {
  const documents = { old: before, new: after }
  const newPaths = section(after, 'paths')
  return Object.entries(section(before, 'paths')).flatMap(([path, item]) => {
    const newItem = newPaths[path]
    if (newItem === undefined) return [{ at: path, rule: 'path removed' }]
    return METHODS.flatMap((method) => {
      const [old, next] = [(item as Json)[method], (newItem as Json)[method]]
      if (old === undefined) return []
      const at = `${method.toUpperCase()} ${path}`
      if (next === undefined) return [{ at, rule: 'method removed' }]
      return diffOperation(documents, { old: old as Json, new: next as Json, at })
    })
  })
}

interface Operations {
  old: Json
  new: Json
  at: string
}

function diffOperation(documents: Documents, operations: Operations): Breaking[] {
  return [
    ...diffParameters(documents, operations),
    ...diffBody(documents, operations),
    ...diffResponses(documents, operations),
  ]
}

function diffParameters(documents: Documents, { old, new: next, at }: Operations): Breaking[] {
  const before = parametersOf(old)
  const after = parametersOf(next)
  const added = [...after].flatMap(([key, parameter]) =>
    parameter['required'] === true && before.get(key)?.['required'] !== true
      ? [{ at: `${at} ${key}`, rule: 'now required' }]
      : [],
  )
  const changed = [...before].flatMap(([key, parameter]) => {
    const match = after.get(key)
    const where = `${at} ${key}`
    if (match === undefined) return [{ at: where, rule: 'parameter removed' }]
    const schemas = { old: parameter['schema'], new: match['schema'], at: where }
    return diffSchema(documents, schemas, 'request')
  })
  return [...added, ...changed]
}

function diffBody(documents: Documents, { old, new: next, at }: Operations): Breaking[] {
  const before = section(old, 'requestBody')
  const after = section(next, 'requestBody')
  const nowRequired = after['required'] === true && before['required'] !== true
  const demanded = nowRequired ? [{ at: `${at} body`, rule: 'now required' }] : []
  return [
    ...demanded,
    ...diffContent(documents, { old: before, new: after, at: `${at} body` }, true),
  ]
}

function diffResponses(documents: Documents, { old, new: next, at }: Operations): Breaking[] {
  const after = section(next, 'responses')
  return Object.entries(section(old, 'responses')).flatMap(([status, response]) => {
    const where = `${at} ${status}`
    const match = after[status]
    if (match === undefined) return [{ at: where, rule: 'response removed' }]
    return diffContent(documents, { old: response as Json, new: match as Json, at: where }, false)
  })
}

function diffContent(documents: Documents, pair: Operations, isRequest: boolean): Breaking[] {
  const after = section(pair.new, 'content')
  return Object.entries(section(pair.old, 'content')).flatMap(([type, media]) => {
    const match = after[type] as Json | undefined
    if (match === undefined) return [{ at: `${pair.at} ${type}`, rule: 'media type removed' }]
    const schemas = { old: (media as Json)['schema'], new: match['schema'], at: pair.at }
    return diffSchema(documents, schemas, isRequest ? 'request' : 'response')
  })
}

function parametersOf(operation: Json): Map<string, Json> {
  const list = (operation['parameters'] as Json[] | undefined) ?? []
  return new Map(list.map((entry) => [`${String(entry['in'])} ${String(entry['name'])}`, entry]))
}

function section(parent: Json, name: string): Json {
  return (parent[name] as Json | undefined) ?? {}
}
