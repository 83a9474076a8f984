export class BootstrapError extends Error {}
export function oldNode(version: string): BootstrapError
export function notInstalled(): BootstrapError
export function noProjectNode(platform: string, arch: string): BootstrapError
export function readOnly(folder: string): BootstrapError
export function noNpm(): BootstrapError
export function productRunning(pid: number): BootstrapError
export function installStuck(pid: number, file: string): BootstrapError
export function installStopped(): BootstrapError
export function outOfStep(): BootstrapError
export function installFailed(output: string, folder: string): BootstrapError
