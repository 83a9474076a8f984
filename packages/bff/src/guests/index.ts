export { CampaignAttribution, captureCampaign } from './campaign.ts'
export { type ClientInfo, type ClientRequest, readClientInfo } from './client-info.ts'
export { type CookieReply, clearSessionCookie, setSessionCookie } from './session-cookie.ts'
