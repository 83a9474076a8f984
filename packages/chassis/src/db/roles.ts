export interface RoleNames {
  /** Owns the tables and migrates them. */
  readonly owner: string
  /** Serves requests: owns nothing and cannot bypass row-level security. */
  readonly app: string
  /** Relay and jobs: all tenants, but only the tables granted to it. */
  readonly relay: string
}

export function roleNames(schema: string): RoleNames {
  return { owner: `${schema}_owner`, app: `${schema}_app`, relay: `${schema}_relay` }
}

/** A further login role, which a migration names as `:role(<name>)`: one that only inserts. */
export function additionalRole(schema: string, name: string): string {
  return `${schema}_${name}`
}

/** Schema and role names are used in DDL without quoting, so they must not require it. */
export function assertSchemaName(schema: string): void {
  if (!/^[a-z][a-z0-9_]{0,54}$/.test(schema)) {
    throw new TypeError(`schema name ${JSON.stringify(schema)} is not lower_snake_case`)
  }
}
