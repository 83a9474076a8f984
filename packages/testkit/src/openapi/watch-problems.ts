import type { App } from '@melmastoon/chassis/http'

interface Operation {
  readonly operationId?: string
  readonly responses?: Readonly<Record<string, { content?: Readonly<Record<string, unknown>> }>>
}

export interface ProblemWatch {
  /** Rejections that the OpenAPI document of the service does not list, each once. */
  undocumented(): string[]
}

/**
 * Compares the code of every problem with those that the document lists for the operation. To be
 * called before the routes are registered.
 */
export function watchProblems(app: App): ProblemWatch {
  const found = new Set<string>()
  let documented: ReadonlyMap<string, ReadonlySet<string>> | undefined
  app.addHook('onResponse', (request, reply, done) => {
    const { operation } = request.routeOptions.config
    const code = request.state?.errorCode ?? null
    if (operation !== undefined && code !== null) {
      documented ??= documentedCodes(app)
      const codes = documented.get(operation)
      if (codes !== undefined && !codes.has(code)) {
        found.add(`${operation} rejects with ${reply.statusCode} ${code}`)
      }
    }
    done()
  })
  return { undocumented: () => [...found].toSorted() }
}

function documentedCodes(app: App): ReadonlyMap<string, ReadonlySet<string>> {
  const { paths = {}, components } = JSON.parse(JSON.stringify(app.swagger()))
  const operations = Object.values(paths).flatMap((item) => Object.values(item as object))
  return new Map(
    (operations as Operation[]).map(({ operationId = '', responses = {} }) => {
      const contents = Object.values(responses).map(({ content }) => content)
      return [operationId, new Set(contents.flatMap((content) => codesIn(content, components)))]
    }),
  )
}

interface ProblemSchema {
  readonly $ref?: string
  readonly allOf?: readonly ProblemSchema[]
  readonly properties?: { readonly code?: { readonly enum?: readonly string[] } }
}

function codesIn(
  content: Readonly<Record<string, unknown>> = {},
  components: { readonly schemas: Readonly<Record<string, ProblemSchema>> },
): readonly string[] {
  const media = content['application/problem+json'] as { schema?: ProblemSchema } | undefined
  const name = media?.schema?.$ref?.split('/').at(-1)
  const schema = name === undefined ? media?.schema : components.schemas[name]
  const parts = [schema, ...(schema?.allOf ?? [])]
  return parts.flatMap((part) => part?.properties?.code?.enum ?? [])
}
