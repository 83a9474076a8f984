import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '@melmastoon/domain'
import type { components } from '../../../services/bff-backoffice-service/contracts/openapi.d.ts'
import { expectThat } from '../shared/demo-failure.ts'
import type { StaffDemo } from './demo.ts'
import { type StaffMember, signIn, V1 } from './staff-member.ts'

const SHOWN_WITHIN_MS = 15_000
const POLL_MS = 200

type Task = NonNullable<components['schemas']['RoomRow']['task']>

/** What the device did while it had no network, and what became of it. */
export async function cleanOffline(demo: StaffDemo, hotel: string): Promise<void> {
  const { say } = demo
  const housekeeper = await signIn(demo, 'housekeeper', hotel)
  const { number, task } = await chooseRoom(housekeeper)
  const intents = intentsFor(task)
  say.step(`Clean room ${number}: ${task.kind}`)
  say.detail('the device is offline and keeps two intents: start, complete')
  const first = await submit(housekeeper, intents)
  say.step('Send the intents after the outage')
  say.detail(first.map(showResult).join(', '))
  expectThat(
    first.every(({ verdict }) => verdict === 'applied'),
    'an intent was not applied',
  )
  const before = await versionOfClean(housekeeper, number)
  const again = await submit(housekeeper, intents)
  const after = await versionOfClean(housekeeper, number)
  say.step('Send them again, because the response might have been lost')
  say.detail(again.map(showResult).join(', '))
  expectThat(before === after, `sending again changed the room: ${before} → ${after}`)
  say.detail(`room ${number} has not changed: version ${after}`)
}

type Result = components['schemas']['IntentResult']

function showResult({ verdict, pending, replayed }: Result): string {
  return `${pending ? 'pending' : verdict}${replayed ? ' (replayed)' : ''}`
}

async function readRooms({ api, propertyId }: StaffMember) {
  const query = { propertyId, limit: 500 }
  const { data } = await api.GET(`${V1}/housekeeping`, { params: { query } })
  return data.rows
}

async function chooseRoom(housekeeper: StaffMember): Promise<{ number: string; task: Task }> {
  const rooms = await readRooms(housekeeper)
  const room = rooms.find(({ task }) => task?.status === 'pending')
  expectThat(room?.task !== undefined, 'no room is to be cleaned: npm start -- --fresh')
  return { number: room.number, task: room.task }
}

/** The board follows the change within a second. */
async function versionOfClean(housekeeper: StaffMember, number: string): Promise<number> {
  const deadlineMs = performance.now() + SHOWN_WITHIN_MS
  for (;;) {
    const room = (await readRooms(housekeeper)).find((each) => each.number === number)
    if (room?.condition === 'clean') return room.version
    expectThat(performance.now() < deadlineMs, `room ${number} is ${room?.condition}`)
    await delay(POLL_MS)
  }
}

function intentsFor({ taskId, version }: Task) {
  const [started, completed] = [newId('int'), newId('int')]
  const common = { resourceId: taskId, occurredAt: new Date().toISOString() }
  return [
    { ...common, intentId: started, seq: 1, name: 'task.start', expect: { version } },
    {
      ...common,
      intentId: completed,
      seq: 2,
      name: 'task.complete',
      expect: { version: version + 1 },
      dependsOn: started,
    },
  ]
}

async function submit({ api }: StaffMember, intents: ReturnType<typeof intentsFor>) {
  const { data } = await api.POST(`${V1}/offline-actions`, {
    body: { sentAt: new Date().toISOString(), bootId: 'demo', intents },
  })
  return data.results
}
