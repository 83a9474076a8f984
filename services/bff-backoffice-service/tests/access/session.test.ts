import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BackofficeWithFakes, startWithFakes } from '../harness/start-with-fakes.ts'
import { TestDevice } from '../harness/test-device.ts'

let running: BackofficeWithFakes
beforeAll(async () => {
  running = await startWithFakes()
})
afterAll(() => running[Symbol.asyncDispose]())

it('a device signs in and reads its session', async () => {
  const { platform, service } = running
  const device = await TestDevice.signIn(platform, platform.newOperator())
  const response = await device.get(service, '/session')
  expect(response.body).toMatchObject({ operatorId: device.operatorId, roles: ['front_desk'] })
  expect(device.challenges).toBe(1)
  expect((await device.get(service, '/session')).status).toBe(200)
  expect(device.challenges).toBe(1)
})
