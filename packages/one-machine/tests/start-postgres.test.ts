import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { isAlive, killServers, type PostgresInstance, startPostgres } from '@melmastoon/one-machine'
import { temporaryFolder } from '@melmastoon/testkit'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isRoot } from './environment.ts'

async function query(instance: PostgresInstance, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: instance.url })
  await client.connect()
  try {
    const result = await client.query({ text, rowMode: 'array' })
    return result.rows.flat()
  } finally {
    await client.end()
  }
}

describe('startPostgres', () => {
  const folder = temporaryFolder()
  const dataDir = join(folder.path, 'postgres')
  let instance: PostgresInstance

  beforeAll(async () => {
    instance = await startPostgres({
      dataDir,
      port: 0,
      settings: { work_mem: '5MB', fsync: 'off' },
    })
    await query(instance, 'create table stored_rows(n int)')
  })

  afterAll(async () => {
    await instance.stop()
    folder[Symbol.dispose]()
  })

  it('runs Postgres 16 with the given settings, never as root', async () => {
    expect(await query(instance, 'show server_version')).toEqual([expect.stringMatching(/^16\./)])
    expect(await query(instance, 'show work_mem')).toEqual(['5MB'])
    const status = readFileSync(`/proc/${instance.pid}/status`, 'utf8')
    expect(status).not.toMatch(/^Uid:\s+0\s/m)
  })

  it('preserves committed rows across a graceful restart and SIGKILL, on the same port', async () => {
    await query(instance, 'insert into stored_rows values (1)')
    const firstPid = instance.pid
    await instance.restart()
    expect(instance.pid).not.toBe(firstPid)
    await query(instance, 'insert into stored_rows values (2)')
    await instance.kill()
    expect(isAlive(instance.pid)).toBe(false)
    await instance.restart()
    expect(await query(instance, 'select n from stored_rows order by n')).toEqual([1, 2])
  })

  it('finds the live server again by its pid file', async () => {
    const again = await startPostgres({ dataDir, port: 0 })
    expect(again.reused).toBe(true)
    expect([again.pid, again.port]).toEqual([instance.pid, instance.port])
    const second = startPostgres({ dataDir, port: 0, reuse: false })
    await expect(second).rejects.toMatchObject({ code: 'ALREADY_RUNNING' })
  })

  it('starts although the pid of a stale pid file belongs to another process', async () => {
    await instance.kill()
    const stranger = spawn('sleep', ['60'], isRoot ? { uid: 65_534, gid: 65_534 } : {})
    const file = join(dataDir, 'data/postmaster.pid')
    const rest = readFileSync(file, 'utf8').split('\n').slice(1)
    writeFileSync(file, [String(stranger.pid), ...rest].join('\n'))
    try {
      const fresh = await startPostgres({ dataDir, port: 0, settings: { fsync: 'off' } })
      expect(fresh.reused).toBe(false)
      expect(isAlive(stranger.pid ?? 0)).toBe(true)
      await fresh.stop()
    } finally {
      stranger.kill()
    }
    await instance.restart()
  })

  it('can be stopped twice, and kills the server of a dead run', async () => {
    await instance.stop()
    await instance.stop()
    await instance.restart()
    await killServers(dataDir)
    expect(isAlive(instance.pid)).toBe(false)
    await instance.restart()
  })

  it('reports that its port is taken', async () => {
    using elsewhere = temporaryFolder()
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const start = startPostgres({ dataDir: join(elsewhere.path, 'pg'), port })
    await expect(start).rejects.toMatchObject({ code: 'PORT_BUSY' })
    server.close()
  })

  it('reports that its folder is not writable', async () => {
    using closed = temporaryFolder(0o555)
    if (isRoot) process.seteuid?.(65_534)
    try {
      const start = startPostgres({ dataDir: join(closed.path, 'pg'), port: 0 })
      await expect(start).rejects.toMatchObject({ code: 'NOT_WRITABLE' })
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
    writeFileSync(join(folder.path, 'file'), '')
    const below = startPostgres({ dataDir: join(folder.path, 'file/pg'), port: 0 })
    await expect(below).rejects.toMatchObject({ code: 'NOT_WRITABLE' })
  })

  it.runIf(isRoot)(
    'runs outside a directory with mode 700 and returns its data there',
    async () => {
      using closed = temporaryFolder(0o700)
      const options = { dataDir: join(closed.path, 'pg'), port: 0, settings: { fsync: 'off' } }
      const first = await startPostgres(options)
      expect(first.dataDir.startsWith(closed.path)).toBe(false)
      await query(first, 'create table stored as select 7 as n')
      await first.stop()
      expect(existsSync(first.dataDir)).toBe(false)
      const second = await startPostgres(options)
      expect(await query(second, 'select n from stored')).toEqual([7])
      await second.kill()
      await second.restart()
      expect(await query(second, 'select n from stored')).toEqual([7])
      await second.stop()
      expect(existsSync(second.dataDir)).toBe(false)
    },
  )
})
