import type { Module } from './read-modules.ts'

export interface Size {
  readonly name: string
  readonly files: number
  readonly lines: number
}

export interface RouteReach {
  readonly route: string
  /** Files of the same service that the route needs at run time, itself included. */
  readonly files: number
  readonly lines: number
  readonly folders: number
  /** The same with the hooks that every request passes. */
  readonly filesWithHooks: number
}

const SMALL_LINES = 15

export function sizesOf(modules: readonly Module[]): Size[] {
  const groups = Map.groupBy(modules, ({ path }) => packageOf(path))
  return [...groups]
    .map(([name, own]) => ({ name, files: own.length, lines: sum(own.map(({ lines }) => lines)) }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Routes and index files are small by nature. */
export function smallFiles(modules: readonly Module[]): Module[] {
  return modules.filter(
    ({ path, lines }) => lines < SMALL_LINES && !/(\/routes\/|(^|\/)index\.ts$)/.test(path),
  )
}

/** The files needed to follow each route; the composition root is not followed. */
export function routesOf(modules: readonly Module[], service: string): RouteReach[] {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const source = `${service}/src/`
  const own = modules.map(({ path }) => path).filter((path) => path.startsWith(source))
  const hooks = own.filter((path) => /\/http\/(hooks\/|protect\.ts)/.test(path))
  const routes = own.filter((path) => /\/http\/routes\/(?!index\.ts)/.test(path))
  return routes
    .map((route) => {
      const files = reach(byPath, source, [route])
      return {
        route: route.slice(`${source}http/routes/`.length, -'.ts'.length),
        files: files.size,
        lines: sum([...files].map((path) => byPath.get(path)?.lines ?? 0)),
        folders: new Set([...files].map((path) => path.slice(0, path.lastIndexOf('/')))).size,
        filesWithHooks: reach(byPath, source, [route, ...hooks]).size,
      }
    })
    .toSorted((a, b) => b.files - a.files)
}

function reach(byPath: ReadonlyMap<string, Module>, source: string, from: readonly string[]) {
  const seen = new Set<string>()
  const open = [...from]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path) || !path.startsWith(source) || path === `${source}context.ts`) continue
    seen.add(path)
    open.push(...(byPath.get(path)?.imports ?? []))
  }
  return seen
}

/** Feature folder → the feature folders it imports at run time. `http` is not a feature. */
export function featuresOf(modules: readonly Module[], service: string): Map<string, string[]> {
  const featureOf = (path: string) => path.match(`^${service}/src/(?!http/)([^/]+)/`)?.[1]
  const features = new Map<string, Set<string>>()
  for (const { path, imports } of modules) {
    const feature = featureOf(path)
    if (feature === undefined) continue
    const used = features.get(feature) ?? new Set()
    features.set(feature, used)
    for (const target of imports.map(featureOf)) {
      if (target !== undefined && target !== feature) used.add(target)
    }
  }
  return new Map([...features].map(([feature, used]) => [feature, [...used].toSorted()]))
}

/** Groups of features that reach each other. */
export function cyclesOf(features: ReadonlyMap<string, readonly string[]>): string[][] {
  const reachable = new Map([...features.keys()].map((from) => [from, reachedFrom(features, from)]))
  const groups = [...features.keys()].map((feature) =>
    [...features.keys()].filter(
      (other) => reachable.get(feature)?.has(other) && reachable.get(other)?.has(feature),
    ),
  )
  const cycles = groups.filter((group) => group.length > 0)
  return [...new Map(cycles.map((group) => [group.join(), group])).values()]
}

function reachedFrom(features: ReadonlyMap<string, readonly string[]>, from: string): Set<string> {
  const seen = new Set<string>()
  const open = [...(features.get(from) ?? [])]
  for (let feature = open.pop(); feature !== undefined; feature = open.pop()) {
    if (seen.has(feature)) continue
    seen.add(feature)
    open.push(...(features.get(feature) ?? []))
  }
  return seen
}

/** How many files import each file, most imported first. */
export function fanIn(modules: readonly Module[]): { path: string; importers: number }[] {
  const counts = new Map<string, number>(modules.map(({ path }) => [path, 0]))
  for (const { imports } of modules) {
    for (const path of new Set(imports)) counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  return [...counts]
    .map(([path, importers]) => ({ path, importers }))
    .toSorted((a, b) => b.importers - a.importers)
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function packageOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  return first === 'packages' || first === 'services' ? `${first}/${second}` : first
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
