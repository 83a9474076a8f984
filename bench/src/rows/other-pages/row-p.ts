import type { BenchWorld, Part, Row } from '../../harness/row.ts'
import { type ConsumerServer, setSearchStage, startConsumer } from '../search/stage.ts'
import { type Asked, readPage } from '../warm-page/stage.ts'
import {
  findLoad,
  PAGE_FRESH_MS,
  readyGoals,
  type Scene,
  WARM_METRICS,
  warmVariants,
} from '../warm-page/warm-variants.ts'
import { findHotels, hotelPath, MAP, mapQuestion } from './asked-pages.ts'
import { coldStayPart } from './cold-stay.ts'

/** The same as row A for the other pages that lie ready, and one that does not. */
export const rowP: Row = {
  id: 'P',
  title: 'Other pages: a hotel, a map, and a hotel at a time nobody has asked for',
  async parts(world) {
    const stage = await setSearchStage(world)
    const us = await startConsumer(world, stage, { pageFreshMs: PAGE_FRESH_MS })
    const [hotel] = await findHotels(us, stage.question)
    if (hotel === undefined) throw new Error('the world has no hotel to show')
    const path = hotelPath(hotel, stage.question)
    const warm = warmPart.bind(null, world, us)
    return [
      await warm({ title: 'warm hotel', asked: { path }, databases: [62, 63] }),
      await warm({
        title: 'warm map',
        asked: { path: MAP, question: mapQuestion(stage.question) },
        databases: [64, 65],
      }),
      await coldStayPart(world, stage, { us, hotel }),
    ]
  },
}

interface Warm {
  readonly title: string
  readonly asked: Asked
  readonly databases: Scene['databases']
}

async function warmPart(world: BenchWorld, us: ConsumerServer, warm: Warm): Promise<Part> {
  const { title, asked, databases } = warm
  const page = await readPage(us, asked)
  const wrk = await findLoad(world)
  return {
    title,
    metrics: WARM_METRICS,
    variants: warmVariants({ world, wrk, page, us, asked, databases }),
    rounds: world.pick(3, 1),
    compare: 'cpuUs',
    goals: readyGoals(`a ${title}`),
  }
}
