/**
 * Compiles equal schemas once per process: routes repeat them (all have the same problems), and a
 * process may run several apps. What is compiled must have no state of its own.
 */
export function compileOnce<T>(compile: (schema: unknown) => T): (schema: unknown) => T {
  const compiled = new Map<string, T>()
  return (schema) => {
    const content = JSON.stringify(schema)
    const known = compiled.get(content)
    if (known !== undefined) return known
    const created = compile(schema)
    compiled.set(content, created)
    return created
  }
}

/**
 * For the compilers of one app. Fastify requests one for every route as soon as a schema is shared,
 * and comparing their contents takes longer than comparing their names.
 */
export function createBuilder<C>(build: (external: unknown) => C): (external: unknown) => C {
  let built: { readonly names: string; readonly compile: C } | undefined
  return (external) => {
    const names = Object.keys(external as object).join()
    if (built?.names !== names) built = { names, compile: build(external) }
    return built.compile
  }
}
