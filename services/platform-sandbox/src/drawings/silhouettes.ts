import type { Scenery } from '../world/city.ts'
import type { SeededRandom } from '../world/seeded-random.ts'
import type { Light } from './light.ts'
import { circle, hsl, path, rect, WIDTH } from './svg.ts'

export interface Ground {
  readonly light: Light
  /** The baseline of distant objects. */
  readonly horizon: number
}

type Painter = (random: SeededRandom, ground: Ground) => string

const PAINTERS: Readonly<Record<Scenery, Painter>> = {
  mountain: paintMountains,
  desert: paintDesert,
  sea: paintSea,
  north: paintNorth,
  town: paintTown,
}

/** The background of the house: shows the region of the world. */
export function paintScenery(scenery: Scenery, random: SeededRandom, ground: Ground): string {
  return PAINTERS[scenery](random, ground)
}

interface Ridge {
  readonly base: number
  readonly height: number
  readonly step: number
}

function ridge(random: SeededRandom, { base, height, step }: Ridge): string {
  let d = `M0 ${base}`
  for (let x = 0; x <= WIDTH + step; x += step) {
    d += `L${x} ${base - height * (0.35 + random.next() * 0.65)}`
    d += `L${x + step / 2} ${base - height * (0.1 + random.next() * 0.35)}`
  }
  return `${d}V${base + 80}H0Z`
}

function paintMountains(random: SeededRandom, { light, horizon }: Ground): string {
  const { hazeHue: hue, shade } = light
  const far = ridge(random, { base: horizon, height: 190, step: 170 })
  const near = ridge(random, { base: horizon + 15, height: 110, step: 120 })
  return (
    path(far, hsl(hue, 28, 74 + shade)) +
    snowCaps(far, shade) +
    path(near, hsl(hue, 24, 56 + shade)) +
    path(ridge(random, { base: horizon + 30, height: 50, step: 90 }), hsl(96, 22, 44 + shade))
  )
}

/** Snow on the peaks of a ridge. */
function snowCaps(d: string, shade: number): string {
  const peaks = [...d.matchAll(/L(\d+(?:\.\d+)?) (\d+(?:\.\d+)?)/g)]
    .map(([, x, y]) => ({ x: Number(x), y: Number(y) }))
    .filter((_, index) => index % 2 === 0)
  return peaks
    .map(({ x, y }) =>
      path(
        `M${x - 22} ${y + 34}L${x} ${y}L${x + 24} ${y + 34}L${x + 8} ${y + 25}L${x - 6} ${y + 38}Z`,
        hsl(210, 30, 96 + Math.min(0, shade)),
      ),
    )
    .join('')
}

function paintDesert(random: SeededRandom, { light, horizon }: Ground): string {
  const { shade, hazeHue } = light
  const dune = (base: number, height: number) => {
    const [a, b] = [random.int(-30, 30), random.int(-30, 30)]
    return `M0 ${base}C160 ${base - height + a} 270 ${base + 12} 420 ${base - height / 2}S690 ${base - height + b} 800 ${base - 8}V${base + 90}H0Z`
  }
  return (
    path(ridge(random, { base: horizon, height: 60, step: 210 }), hsl(hazeHue, 18, 72 + shade)) +
    paintMosque(random.int(80, 560), horizon + 4, hsl(32, 26, 50 + shade)) +
    path(dune(horizon + 4, 34), hsl(36, 44, 70 + shade)) +
    path(dune(horizon + 30, 30), hsl(33, 42, 62 + shade))
  )
}

/** A distant dome between two minarets. */
function paintMosque(x: number, base: number, fill: string): string {
  const minaret = (at: number) =>
    rect({ x: at, y: base - 96, width: 9, height: 100 }, fill) +
    rect({ x: at - 3, y: base - 74, width: 15, height: 5 }, fill) +
    path(`M${at - 1} ${base - 96}L${at + 4} ${base - 116}L${at + 10} ${base - 96}Z`, fill)
  const dome = `M${x + 26} ${base - 34}C${x + 20} ${base - 70} ${x + 50} ${base - 82} ${x + 58} ${base - 96}C${x + 66} ${base - 82} ${x + 96} ${base - 70} ${x + 90} ${base - 34}Z`
  return (
    minaret(x) +
    minaret(x + 108) +
    path(dome, fill) +
    rect({ x: x + 16, y: base - 36, width: 84, height: 40 }, fill)
  )
}

function paintSea(random: SeededRandom, { light, horizon }: Ground): string {
  const { shade } = light
  const water = rect({ x: 0, y: horizon - 50, width: WIDTH, height: 150 }, hsl(194, 52, 52 + shade))
  const glitter = Array.from({ length: 9 }, () =>
    rect(
      {
        x: random.int(0, 760),
        y: horizon - random.int(2, 44),
        width: random.int(20, 60),
        height: 2,
      },
      '#fff',
      { opacity: 0.35 },
    ),
  ).join('')
  const x = random.int(120, 640)
  const sail = path(
    `M${x} ${horizon - 46}L${x} ${horizon - 104}L${x + 34} ${horizon - 50}Z`,
    '#fdf8ef',
  )
  const hull = path(`M${x - 18} ${horizon - 44}h58l-12 14h-36Z`, hsl(20, 40, 34))
  const island = `M0 ${horizon - 49}C60 ${horizon - 90} 150 ${horizon - 84} 210 ${horizon - 49}Z`
  return water + path(island, hsl(150, 22, 44 + shade)) + glitter + sail + hull
}

function paintNorth(random: SeededRandom, { light, horizon }: Ground): string {
  const { hazeHue, shade } = light
  const trees = Array.from({ length: 12 }, () => {
    const [x, h] = [random.int(0, 800), random.int(40, 84)]
    return `M${x - h / 4} ${horizon + 26}l${h / 4} ${-h}l${h / 4} ${h}Z`
  }).join('')
  return (
    path(ridge(random, { base: horizon, height: 130, step: 150 }), hsl(hazeHue, 24, 80 + shade)) +
    path(ridge(random, { base: horizon + 10, height: 60, step: 190 }), hsl(205, 30, 90 + shade)) +
    path(trees, hsl(165, 28, 26 + shade / 2))
  )
}

function paintTown(random: SeededRandom, { light, horizon }: Ground): string {
  const { hazeHue, shade } = light
  let houses = ''
  for (let x = -10; x < WIDTH; ) {
    const [width, height] = [random.int(46, 92), random.int(40, 130)]
    const fill = hsl(hazeHue, 16, random.int(58, 72) + shade)
    houses += rect({ x, y: horizon - height, width, height: height + 60 }, fill)
    if (random.chance(0.35)) {
      houses += path(`M${x} ${horizon - height}l${width / 2} -28l${width / 2} 28Z`, fill)
    }
    x += width
  }
  const tower = random.int(100, 700)
  return houses + circle(tower, horizon - 128, { r: 16, fill: hsl(hazeHue, 20, 56 + shade) })
}
