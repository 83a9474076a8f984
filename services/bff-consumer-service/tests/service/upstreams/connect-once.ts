/** Does what the service must not: the record of it shows that it would be seen. */
await fetch(process.argv[2] ?? '').catch(() => undefined)
