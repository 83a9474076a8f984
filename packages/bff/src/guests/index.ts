export { CampaignAttribution, captureCampaign } from './campaign.ts'
export { type ClientInfo, readClientInfo } from './client-info.ts'
export { clearSessionCookie, setSessionCookie } from './session-cookie.ts'
