// Plain JavaScript for Node 20: this runs before any package is installed.

/** A failure the user can resolve: printed as one message, without a stack. */
export class BootstrapError extends Error {}

export const oldNode = (version) =>
  new BootstrapError(
    `Node ${version} is too old: install Node 20 or newer. The project installs the version it runs on.`,
  )

export const notInstalled = () =>
  new BootstrapError('The packages are not installed yet: run npm start, or npm install.')

export const noProjectNode = (platform, arch) =>
  new BootstrapError(
    `There is no packaged Node 24 for ${platform} ${arch}: install Node 24 or newer and run this again with it.`,
  )

export const readOnly = (folder) =>
  new BootstrapError(
    `Cannot write to ${folder}: run this as the owner of the folder, or use a copy that you can write to.`,
  )

export const noNpm = () =>
  new BootstrapError('npm was not found on the PATH: it comes with Node, install it and try again.')

export const productRunning = (pid) =>
  new BootstrapError(
    `The packages changed while Melmastoon is running (process ${pid}): stop it first (Ctrl-C in its window, or: kill ${pid}).`,
  )

export const installStuck = (pid, file) =>
  new BootstrapError(
    `Process ${pid} has been installing packages for too long: stop it, or remove ${file} if that process is not an npm installation.`,
  )

export const installStopped = () =>
  new BootstrapError('Stopped while installing the packages: the next run continues.')

export const lockfileMismatch = () =>
  new BootstrapError(
    'package.json and package-lock.json disagree: run "npm install" and commit the lockfile.',
  )

const OFFLINE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/
const NOT_WRITABLE = /\b(EACCES|EROFS|EPERM)\b/
const DISK_FULL = /\b(ENOSPC|EDQUOT)\b/

/**
 * @param {string} output what npm printed
 * @param {string} folder where it was installing
 */
export function installFailed(output, folder) {
  if (OFFLINE.test(output)) {
    return new BootstrapError(
      'The packages are not installed yet and the npm registry cannot be reached: connect to the network once, then run this again.',
    )
  }
  if (DISK_FULL.test(output)) return new BootstrapError(`The disk that holds ${folder} is full.`)
  if (NOT_WRITABLE.test(output)) return readOnly(folder)
  const tail = output.trim().split('\n').slice(-15).join('\n')
  return new BootstrapError(`npm could not install the packages:\n${tail}`)
}
