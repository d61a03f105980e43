export { UnanswerableRequest } from "./app-requests.ts";
export { OauthFault } from "./oauth-fault.ts";
export { createOauth, type Oauth } from "./server.ts";
