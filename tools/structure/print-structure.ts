import {
  cyclesOf,
  fanIn,
  featuresOf,
  median,
  routesOf,
  sizesOf,
  smallFiles,
} from './measure-structure.ts'
import type { Module } from './read-modules.ts'

const FAN_IN_SHOWN = 15

/** The output of `npm run structure`: sizes and dependencies. */
export function printStructure(modules: readonly Module[]): string {
  const services = [...new Set(modules.flatMap(({ path }) => serviceOf(path)))].toSorted()
  return [
    ...sizes(modules),
    ...services.flatMap((service) => [...routes(modules, service), ...features(modules, service)]),
    ...small(modules),
    ...imported(modules),
  ].join('\n')
}

function serviceOf(path: string): string[] {
  return path.match(/^services\/[^/]+/)?.slice(0, 1) ?? []
}

function sizes(modules: readonly Module[]): string[] {
  const rows = sizesOf(modules).map(({ name, files, lines }) => [name, files, lines])
  return ['Source files and lines per package (tests not counted)', ...table(rows), '']
}

function routes(modules: readonly Module[], service: string): string[] {
  const found = routesOf(modules, service)
  if (found.length === 0) return []
  const rows = found.map((each) => [
    each.route,
    each.files,
    each.lines,
    each.folders,
    each.filesWithHooks,
  ])
  const middle = median(found.map(({ files }) => files))
  return [
    `Own files per route of ${service} (files, lines, folders, files with hooks)`,
    ...table(rows),
    `  median: ${middle} files`,
    '',
  ]
}

function features(modules: readonly Module[], service: string): string[] {
  const found = featuresOf(modules, service)
  const cycles = cyclesOf(found)
  return [
    `Feature dependencies of ${service}`,
    ...[...found].map(([feature, used]) => `  ${feature} → ${used.join(', ') || 'none'}`),
    `  cycles: ${cycles.map((cycle) => `{${cycle.join(', ')}}`).join(' ') || 'none'}`,
    '',
  ]
}

function small(modules: readonly Module[]): string[] {
  const found = smallFiles(modules)
  return [
    `Files under 15 lines, routes and index files not counted: ${found.length}`,
    ...found.map(({ path, lines }) => `  ${String(lines).padStart(2)} ${path}`),
    '',
  ]
}

function imported(modules: readonly Module[]): string[] {
  const rows = fanIn(modules).slice(0, FAN_IN_SHOWN)
  return ['Most imported files', ...table(rows.map(({ path, importers }) => [path, importers]))]
}

function table(rows: readonly (readonly (string | number)[])[]): string[] {
  const width = Math.max(0, ...rows.map(([first]) => String(first).length))
  return rows.map(([first, ...rest]) => {
    const numbers = rest.map((value) => String(value).padStart(8)).join('')
    return `  ${String(first).padEnd(width)}${numbers}`
  })
}
