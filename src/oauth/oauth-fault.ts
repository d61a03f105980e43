// A failure in the words of OAuth, which are not those of the API.

export type OauthFaultCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "unsupported_grant_type"
  | "unsupported_response_type";

export class OauthFault extends Error {
  readonly code: OauthFaultCode;
  readonly status: number;

  constructor(code: OauthFaultCode, message: string) {
    super(message);
    this.name = "OauthFault";
    this.code = code;
    this.status = code === "invalid_client" ? 401 : 400;
  }
}
