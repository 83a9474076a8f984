/** Opens a connection that the service must not open: the control of the recording. */
await fetch(process.argv[2] ?? '').catch(() => undefined)
