import { id } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { DEMO_CATEGORIES, demoAlert } from '../../modules/notification/module.ts'
import { tenantCall } from '../operator-call.ts'
import { defineAction } from './action.ts'

export const raiseAlert = defineAction({
  name: 'alert.raise',
  path: '/tenants/:tenantId/properties/:propertyId/alerts/raise',
  summary: 'Raise an alert for the staff of a hotel',
  done: 'The alert is raised.',
  section: 'alerts',
  params: Type.Object({ tenantId: id('tnt'), propertyId: id('ppt') }),
  body: Type.Object({ category: Type.Enum([...DEMO_CATEGORIES]) }),
  run: (room, { params, body }, operator) =>
    room.modules.notification.handlers.raise(
      { body: demoAlert(body.category, { propertyId: params.propertyId }) },
      tenantCall(operator, params.tenantId),
    ),
})
