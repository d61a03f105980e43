// What other rooms use of this folder.
export { appHash } from "../accounts/keys.ts";
export type {
  GrantedToken,
  ListedGrant,
  OauthClientRow,
  OauthCodeRow,
  OauthGrantRow,
  OauthRequestRow,
} from "./oauth-rows.ts";
