import type { HousekeepingRoom } from '@melmastoon/upstream-contracts/housekeeping'
import { type Html, html } from '../../page/html.ts'
import { advanceTask, setRoomCondition, toggleRoomFlag } from '../actions/room-actions.ts'
import { complainAboutRoom } from '../actions/work-order-actions.ts'
import { actionButton } from '../form.ts'
import { tenantCall } from '../operator-call.ts'
import { findChosenHotel } from './chosen-hotel.ts'
import { badge, type Section, type SectionContext } from './section.ts'

const ROWS_MAX = 30

/** The rooms of the selected hotel, as housekeeping sees them. */
export const roomsSection: Section = {
  id: 'rooms',
  title: 'Rooms',
  async show(context) {
    const hotel = await findChosenHotel(context)
    if (hotel === null) return html`<p>Choose a <a href="#tenants">tenant</a> first.</p>`
    const { room, operator } = context
    const { tenantId, propertyId } = hotel
    const call = tenantCall(operator, tenantId)
    const { listRooms } = room.modules.housekeeping.handlers
    const { rooms, businessDate } = await listRooms({ params: { propertyId } }, call)
    const dirty = rooms.filter(({ condition }) => condition === 'dirty').length
    const rows = rooms.toSorted(byWork).slice(0, ROWS_MAX)
    return html`
      <p>${rooms.length} rooms on ${businessDate}, ${dirty} dirty; rooms with work come first.</p>
      <div class="scroll"><table>
        <thead><tr><th scope="col">Room</th><th scope="col">Condition</th><th scope="col">Occupancy</th>
          <th scope="col">Flags</th><th scope="col">Task</th>
          <th scope="col"><span class="unseen">Actions</span></th></tr></thead>
        <tbody>${rows.map((each) => roomRow(each, { context, tenantId }))}</tbody>
      </table></div>`
  },
}

function byWork(a: HousekeepingRoom, b: HousekeepingRoom): number {
  return workOf(b) - workOf(a)
}

function workOf({ task, flags }: HousekeepingRoom): number {
  return (task === undefined ? 0 : 2) + (flags.length > 0 ? 1 : 0)
}

interface Place {
  readonly context: SectionContext
  readonly tenantId: Parameters<typeof tenantCall>[1]
}

function roomRow(room: HousekeepingRoom, place: Place): Html {
  const { number, condition, occupancy, flags, task } = room
  const isReady = condition === 'clean' || condition === 'inspected'
  return html`
    <tr>
      <th scope="row">${number}</th>
      <td>${badge(isReady ? 'good' : 'wait', condition)}</td>
      <td>${badge('plain', occupancy.replaceAll('_', ' '))}</td>
      <td>${flags.map((flag) => badge('bad', flag.replaceAll('_', ' ')))}</td>
      <td>${task && `${task.kind.replaceAll('_', ' ')}, ${task.status.replaceAll('_', ' ')}`}</td>
      <td>${roomButtons(room, place)}</td>
    </tr>`
}

function roomButtons(room: HousekeepingRoom, { context, tenantId }: Place): Html {
  const { roomId, propertyId, number, task } = room
  const { view } = context
  const about = `room ${number}`
  const ofRoom = { params: { tenantId, roomId }, view }
  const ofHotel = { params: { tenantId, propertyId, roomId }, view }
  const ofTask = task && { params: { tenantId, taskId: task.taskId }, view }
  return html`
    ${ofTask && actionButton(advanceTask, ofTask, { text: 'Next step', about })}
    ${actionButton(setRoomCondition, ofRoom, { text: 'Dirty', about, fields: { condition: 'dirty' } })}
    ${actionButton(setRoomCondition, ofRoom, { text: 'Clean', about, fields: { condition: 'clean' } })}
    ${actionButton(toggleRoomFlag, ofRoom, { text: 'Do not disturb', about, fields: { flag: 'dnd' } })}
    ${actionButton(complainAboutRoom, ofHotel, { text: 'Complaint', about, fields: { category: 'plumbing' } })}
    ${actionButton(complainAboutRoom, ofHotel, {
      text: 'Block',
      about,
      fields: { category: 'structural', blocksRoom: true },
    })}`
}
