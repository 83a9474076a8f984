import type { App } from '@melmastoon/chassis/http'
import type { ProblemCode } from '@melmastoon/domain'
import { WITHOUT_TOKEN } from '../../access/role-table.ts'
import type { BackofficeContext } from '../../context.ts'
import { acknowledgeAlertRoute } from './acknowledge-alert.ts'
import { advanceSyncCursorRoute } from './advance-sync-cursor.ts'
import { assignWorkOrderRoute } from './assign-work-order.ts'
import { checkInRoute } from './check-in.ts'
import { checkOutRoute } from './check-out.ts'
import { createMfaChallengeRoute } from './create-mfa-challenge.ts'
import { createWorkOrderRoute } from './create-work-order.ts'
import { decideSuggestionRoute } from './decide-suggestion.ts'
import { extendKeyRoute } from './extend-key.ts'
import { getDashboardRoute } from './get-dashboard.ts'
import { getKeyUsesRoute } from './get-key-uses.ts'
import { getLockActionRoute } from './get-lock-action.ts'
import { getOfflineActionRoute } from './get-offline-action.ts'
import { getOfflinePackRoute } from './get-offline-pack.ts'
import { getPreferencesRoute } from './get-preferences.ts'
import { getSessionRoute } from './get-session.ts'
import { getShortcutsRoute } from './get-shortcuts.ts'
import { getSyncCursorRoute } from './get-sync-cursor.ts'
import { issueKeyRoute } from './issue-key.ts'
import { listActivityRoute } from './list-activity.ts'
import { listAlertsRoute } from './list-alerts.ts'
import { listDevicesRoute } from './list-devices.ts'
import { listSuggestionsRoute } from './list-suggestions.ts'
import { moveTasksRoutes } from './move-tasks.ts'
import { openStreamRoute } from './open-stream.ts'
import { pollStreamRoute } from './poll-stream.ts'
import { postChargeRoute } from './post-charge.ts'
import { putPreferencesRoute } from './put-preferences.ts'
import { readBoardsRoutes } from './read-boards.ts'
import { rebindKeyRoute } from './rebind-key.ts'
import { refreshSessionRoute } from './refresh-session.ts'
import { renewStreamRoute } from './renew-stream.ts'
import { reportOfflineHintsRoute } from './report-offline-hints.ts'
import { resolveWorkOrderRoute } from './resolve-work-order.ts'
import { revokeKeyRoute } from './revoke-key.ts'
import { sendHeartbeatRoute } from './send-heartbeat.ts'
import { signOutRoute } from './sign-out.ts'
import { startSyncSessionRoute } from './start-sync-session.ts'
import { stepUpRoute } from './step-up.ts'
import { submitOfflineActionsRoute } from './submit-offline-actions.ts'
import { verifyWorkOrderRoute } from './verify-work-order.ts'

/** Every route can reject with these; a route lists the others in `config.problems`. */
const COMMON_PROBLEMS: readonly ProblemCode[] = [
  'MELMASTOON.GENERAL.VALIDATION_FAILED',
  'MELMASTOON.SECURITY.DPOP_PROOF_INVALID',
  'MELMASTOON.SECURITY.DPOP_REPLAYED',
  'MELMASTOON.SECURITY.DPOP_NONCE_REQUIRED',
  'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE',
  'MELMASTOON.BFF.UPSTREAM_TIMEOUT',
  'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN',
  'MELMASTOON.BFF.UPSTREAM_REQUEST_REJECTED',
  'MELMASTOON.GENERAL.RATE_LIMITED',
  'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
]

/** Those of an access token, its session and its roles. */
const TOKEN_PROBLEMS: readonly ProblemCode[] = [
  'MELMASTOON.SECURITY.TOKEN_INVALID',
  'MELMASTOON.SECURITY.TOKEN_EXPIRED',
  'MELMASTOON.SECURITY.DEVICE_MISMATCH',
  'MELMASTOON.SESSION.REVOKED',
  'MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN',
]

export function commonProblems(operation: string): readonly ProblemCode[] {
  return WITHOUT_TOKEN.has(operation) ? COMMON_PROBLEMS : [...TOKEN_PROBLEMS, ...COMMON_PROBLEMS]
}

/** All routes, registered at each address of the API. */
export function registerRoutes(scope: App, ctx: BackofficeContext): void {
  refreshSessionRoute(scope, ctx)
  signOutRoute(scope, ctx)
  createMfaChallengeRoute(scope, ctx)
  stepUpRoute(scope, ctx)
  getSessionRoute(scope, ctx)
  getKeyUsesRoute(scope, ctx)
  listActivityRoute(scope, ctx)
  readBoardsRoutes(scope, ctx)
  listAlertsRoute(scope, ctx)
  acknowledgeAlertRoute(scope, ctx)
  listSuggestionsRoute(scope, ctx)
  decideSuggestionRoute(scope, ctx)
  getPreferencesRoute(scope, ctx)
  putPreferencesRoute(scope, ctx)
  getShortcutsRoute(scope, ctx)
  sendHeartbeatRoute(scope, ctx)
  listDevicesRoute(scope, ctx)
  getSyncCursorRoute(scope, ctx)
  advanceSyncCursorRoute(scope, ctx)
  startSyncSessionRoute(scope, ctx)
  reportOfflineHintsRoute(scope, ctx)
  getDashboardRoute(scope, ctx)
  checkInRoute(scope, ctx)
  checkOutRoute(scope, ctx)
  postChargeRoute(scope, ctx)
  moveTasksRoutes(scope, ctx)
  createWorkOrderRoute(scope, ctx)
  assignWorkOrderRoute(scope, ctx)
  resolveWorkOrderRoute(scope, ctx)
  verifyWorkOrderRoute(scope, ctx)
  openStreamRoute(scope, ctx)
  pollStreamRoute(scope, ctx)
  renewStreamRoute(scope, ctx)
  issueKeyRoute(scope, ctx)
  revokeKeyRoute(scope, ctx)
  rebindKeyRoute(scope, ctx)
  extendKeyRoute(scope, ctx)
  getLockActionRoute(scope, ctx)
  submitOfflineActionsRoute(scope, ctx)
  getOfflineActionRoute(scope, ctx)
  getOfflinePackRoute(scope, ctx)
}
