export { UnanswerableRequest } from "./consent.ts";
export { OauthFault } from "./oauth-fault.ts";
export { createOauth, type Oauth } from "./server.ts";
